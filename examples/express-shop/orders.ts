import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(process.env.DATABASE ?? 'shop.db', { timeout: 5_000 })
database.exec(`
  create table if not exists orders (id text primary key, status text not null default 'open', invoice_id text unique);
  create table if not exists handled_events (id text primary key);
`)

export type Order = {
  readonly id: string
  readonly status: 'open' | 'paid'
  readonly invoice_id: string | null
}

export function createOrder(id: string): void {
  database.prepare('insert into orders (id) values (?)').run(id)
}

export function setInvoice(id: string, invoiceId: string): void {
  database.prepare('update orders set invoice_id = ? where id = ?').run(invoiceId, id)
}

export function findOrder(id: string): Order | undefined {
  return database.prepare('select * from orders where id = ?').get(id) as Order | undefined
}

/** Marks the order of a paid invoice, once however often the event arrives. Returns the order that is to be shipped now. */
export function payOnce(eventId: string, invoiceId: string): string | null {
  database.exec('begin immediate')
  try {
    const isNew =
      database.prepare('insert or ignore into handled_events values (?)').run(eventId).changes === 1
    const order = isNew
      ? database
          .prepare(`update orders set status = 'paid' where invoice_id = ? and status = 'open' returning id`)
          .get(invoiceId)
      : undefined
    database.exec('commit')
    return order === undefined ? null : String(order.id)
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}
