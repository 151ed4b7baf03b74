/**
 * Derives deposit addresses for another process, in which requests would wait for it. It is told public keys only, reads
 * nothing but its own code, and opens no connection. keep-deriver.ts starts it; it does not outlive the channel to there.
 */
import { maxBatch } from '../app/addresses/derive-elsewhere.ts'
import { type DepositSource, depositAddressesFrom } from '../gates/deposit-source.ts'
import { becomeUser, type User } from './isolation.ts'
import { sayLastWords } from './last-words.ts'

/** Asks for the addresses at `count` positions from `from` on. `derive` is repeated in the answer. */
export type DeriveRequest = {
  readonly derive: number
  readonly source: DepositSource
  readonly from: number
  readonly count: number
}

/** `places` is null when they could not be derived. */
export type DeriveAnswer = { readonly derived: number; readonly places: unknown }

/** The first message to a deriver: the user to become; null: stay the same user. */
export type DeriverOrders = { readonly user: User | null }

sayLastWords()
process.once('disconnect', () => process.exit())
if (!process.connected) process.exit(1)
// As in role-process.ts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

process.on('message', (message: DeriverOrders | DeriveRequest) => {
  if ('derive' in message) process.send?.(answerTo(message))
  else if (message.user !== null) becomeUser(message.user)
})

function answerTo({ derive, source, from, count }: DeriveRequest): DeriveAnswer {
  if (count > maxBatch) throw new RangeError(`At most ${maxBatch} addresses are derived at once.`)
  const depositAddress = depositAddressesFrom(source)
  return { derived: derive, places: Array.from({ length: count }, (_, nth) => depositAddress(from + nth)) }
}
