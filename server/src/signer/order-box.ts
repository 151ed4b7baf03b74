import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '../domain/environment.ts'
import { type ErrorCode, ServiceError } from '../domain/errors.ts'
import { writeDurably } from '../durable-file.ts'
import type { Log } from '../log.ts'
import { ownerBeside } from './folder-owner.ts'
import { type PasskeyOrder, readOrder } from './passkey-orders.ts'
import { pinsPath } from './passkey-pins.ts'
import { WalletError } from './wallet-file.ts'

/*
 * Only the process with the folder's lock writes the signer's files. While a signer has it, a command leaves its order in a file
 * beside them, which only the folder's owner and root can write, and the signer answers with another:
 *
 *   command   live-order-ID.json
 *   signer    → live-order-ID.taken.json, carries it out, saves, writes live-order-ID.answer.json
 *   command   reads the answer and removes it
 */

type Answer = { readonly from: string | null } | { readonly code: ErrorCode; readonly message: string }

const orderPattern = /^(live|test)-order-([0-9a-f-]{36})(\.taken|\.answer)?\.json$/
const maxOrderBytes = 100_000
const lookEveryMs = 50
const answersStayMs = 600_000

/** How long a command waits for a running signer. Its longest steps sign hundreds of transactions. */
export const orderWaitMs = 30_000

/** Has the running signer of this folder carry out an order. Returns what `carryOut` does. */
export async function sendOrder(
  dataDir: string,
  environment: Environment,
  order: PasskeyOrder,
  waitMs = orderWaitMs,
): Promise<Date | null> {
  const base = join(folderOf(dataDir), `${environment}-order-${randomUUID()}`)
  await writeDurably(`${base}.json`, JSON.stringify(order), await ownerBeside(`${base}.json`))
  const endMs = performance.now() + waitMs
  for (;;) {
    const text = await readFile(`${base}.answer.json`, 'utf8').catch(ifMissing)
    if (text !== null) {
      await rm(`${base}.answer.json`, { force: true })
      return unpack(JSON.parse(text))
    }
    if (performance.now() > endMs) await withdraw(base)
    await delay(lookEveryMs)
  }
}

/** Takes back an order that no signer has begun. One that was begun is answered, at the latest by the next signer. */
async function withdraw(base: string): Promise<void> {
  try {
    await rm(`${base}.json`)
  } catch (error) {
    if (isMissing(error)) return
    throw error
  }
  throw new WalletError(
    'A signer is using this wallet folder, but does not take orders: it waits for another signer, cannot reach the database, or ' +
      'has no wallet of this environment. Nothing was changed. See its log; or stop it, run this command again, and start it.',
  )
}

function unpack(answer: Answer): Date | null {
  if ('code' in answer) throw new ServiceError(answer.code, answer.message)
  return answer.from === null ? null : new Date(answer.from)
}

/**
 * Carries out what commands have left for the signer with the folder's lock; returns how many. `change` must leave its
 * changes on disk: the order is removed after that, so one that was cut off is carried out again.
 */
export async function takeOrders(
  dataDir: string,
  environment: Environment,
  log: Pick<Log, 'warn'>,
  change: (order: PasskeyOrder) => Promise<Date | null>,
): Promise<number> {
  const folder = folderOf(dataDir)
  let taken = 0
  for (const name of await readdir(folder)) {
    const [, whose, id, state] = orderPattern.exec(name) ?? []
    if (whose !== environment) continue
    const base = join(folder, `${environment}-order-${id}`)
    if (state === '.answer') await removeOld(join(folder, name))
    else {
      if (state === undefined && !(await take(base))) continue
      const answer = await answerTo(`${base}.taken.json`, change)
      log.warn(
        { environment, ...answer },
        'code' in answer
          ? 'an order of the operator was refused'
          : 'the operator has changed what this signer trusts',
      )
      await writeDurably(`${base}.answer.json`, JSON.stringify(answer))
      await rm(`${base}.taken.json`, { force: true })
      taken++
    }
  }
  return taken
}

/** Takes an order; false when its command has withdrawn it. */
async function take(base: string): Promise<boolean> {
  return (await rename(`${base}.json`, `${base}.taken.json`).then(() => true, ifMissing)) ?? false
}

async function answerTo(
  path: string,
  change: (order: PasskeyOrder) => Promise<Date | null>,
): Promise<Answer> {
  const order = await orderIn(path)
  if (order === null)
    return {
      code: 'validation_error',
      message: `${path} was no order in a file that only the folder’s owner can read and write. Nothing was changed.`,
    }
  try {
    return { from: (await change(order))?.toISOString() ?? null }
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, message: error.message }
    throw error
  }
}

/** The order in a file; null when it is none, or when others could have written it. */
async function orderIn(path: string): Promise<PasskeyOrder | null> {
  const folder = await stat(dirname(path))
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  )
  try {
    const found = await file?.stat()
    if (found === undefined || !found.isFile() || found.size > maxOrderBytes) return null
    const isOwners = found.uid === folder.uid || found.uid === 0
    if (!isOwners || (found.mode & 0o077) !== 0) return null
    return readOrder((await file?.readFile('utf8')) ?? '')
  } finally {
    await file?.close()
  }
}

/** Removes an answer whose command has ended before it. */
async function removeOld(path: string): Promise<void> {
  const found = await stat(path).catch(ifMissing)
  if (found !== null && Date.now() - found.mtimeMs > answersStayMs) await rm(path, { force: true })
}

function folderOf(dataDir: string): string {
  return dirname(pinsPath(dataDir, 'live'))
}

function ifMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
