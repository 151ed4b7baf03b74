import type { Invoice } from '@sluice/web/contract'

type Told = Pick<Invoice, 'id' | 'external_id' | 'description' | 'metadata'>

const orderKeys = ['order_number', 'order', 'order_id']
const customerKeys = ['customer', 'customer_name', 'customer_email', 'customer_id']

/**
 * By what people know an invoice: the shop's own number, or what it is for, and then everything else that the shop told about it.
 * Customer and order are read from metadata, under the names that shops use.
 */
export function aboutInvoice({ id, external_id, description, metadata }: Told): {
  readonly title: string
  readonly about: readonly string[]
} {
  const known = [external_id, told(metadata, orderKeys), description, told(metadata, customerKeys)]
  const [title = id, ...about] = new Set(known.filter((text): text is string => text !== null && text !== ''))
  return { title, about }
}

function told(metadata: Invoice['metadata'], names: readonly string[]): string | null {
  const values = names.map((name) => metadata?.[name])
  const value = values.find((each) => typeof each === 'number' || (typeof each === 'string' && each !== ''))
  return value === undefined ? null : String(value)
}
