import { OutageError } from '../../domain/errors.ts'
import type { Place } from '../../store/addresses/deposit-addresses.ts'

/** The most addresses asked for at once. */
export const maxBatch = 256
// One for a deriver that ended or lied, one for that which takes its place.
const maxTries = 2
// The longest of all networks' addresses have 90 characters.
const maxAddressLength = 128

/** A process that derives addresses. What it answers is not trusted. */
export type Deriver = {
  /** The addresses at `count` positions from `from` on; rejects when the deriver ended or cannot answer. */
  ask(from: number, count: number): Promise<unknown>
  /** Its answer is invalid: another deriver is to take its place. */
  distrust(reason: string): void
}

/**
 * Derives addresses in another process, so that no request waits here, and checks the answer: its shape, its count, that no
 * address is there twice, and one position that the deriver cannot foresee, whose address is derived here. Throws an OutageError when no deriver gives addresses that pass.
 */
export async function deriveElsewhere(
  deriver: Deriver,
  own: {
    readonly depositAddress: (index: number) => Place | null
    readonly random: (size: number) => Buffer
  },
  from: number,
  count: number,
): Promise<readonly Place[]> {
  if (count === 0) return []
  if (count > maxBatch)
    throw new RangeError(`At most ${maxBatch} addresses are derived at once, not ${count}.`)
  for (let tries = 0; tries < maxTries; tries++) {
    const answer = await deriver.ask(from, count).catch(outageOf)
    if (answer instanceof OutageError) continue
    const chosen = own.random(4).readUInt32BE() % count
    const wrong =
      problemIn(answer, count) ??
      problemAt(answer as readonly Place[], chosen, own.depositAddress(from + chosen))
    if (wrong === null) return (answer as readonly Place[]).map(({ address, tag }) => ({ address, tag }))
    deriver.distrust(wrong)
  }
  throw new OutageError('Deposit addresses cannot be derived at the moment.')
}

function outageOf(error: unknown): OutageError {
  if (error instanceof OutageError) return error
  throw error
}

function problemIn(answer: unknown, count: number): string | null {
  if (!Array.isArray(answer)) return 'its answer is no list of addresses'
  if (answer.length !== count) return `it gave ${answer.length} addresses instead of ${count}`
  if (!answer.every(isPlace)) return 'something in its answer is no address'
  if (new Set(answer.map(({ address, tag }) => JSON.stringify([address, tag]))).size !== count)
    return 'it gave an address twice'
  return null
}

function isPlace(given: unknown): given is Place {
  if (typeof given !== 'object' || given === null) return false
  const { address, tag } = given as Partial<Record<keyof Place, unknown>>
  const isAddress = typeof address === 'string' && address !== '' && address.length <= maxAddressLength
  return isAddress && (tag === null || typeof tag === 'string')
}

function problemAt(places: readonly Place[], at: number, ours: Place | null): string | null {
  const given = places[at]
  const isOurs = ours !== null && given?.address === ours.address && given.tag === ours.tag
  return isOurs ? null : 'it gave an address that is not ours'
}
