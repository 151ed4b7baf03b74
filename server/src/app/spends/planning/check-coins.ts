import type { Coin } from '../../../domain/spends.ts'
import { coinName } from '../../../domain/uses.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'

/** The most coins looked up besides those already missing, largest first. */
const maxLooked = 1_000

/** `unsure`: the node's tip is not the one followed at this moment. */
export type CoinCheck = 'all there' | 'some are missing' | 'unsure'

/**
 * Asks the node whether the coins that a payout could spend are on the chain, and sets aside missing ones until they are
 * back: a transaction that spends one can never be mined. Reports each once; `some are missing` means newly missing ones.
 * A coin with another amount is not the one in the books. `evenIfBehind` is for a process that does not follow the chain
 * right now: the node may know more blocks, but not fewer. `evenIfUnproven` looks at coins that no payout could spend, too.
 */
export async function checkCoins(
  app: Pick<App, 'store' | 'reports'>,
  gate: Gate,
  options: {
    readonly limit?: number
    readonly evenIfBehind?: boolean
    readonly evenIfUnproven?: boolean
  } = {},
): Promise<CoinCheck> {
  const { unspent, keychain } = gate
  if (unspent === null) return 'all there'
  const { holdings, missingCoins, followedChains } = app.store
  const limit = Math.min(options.limit ?? maxLooked, maxLooked)
  const { evenIfUnproven = false } = options
  const missing = await holdings.coins(gate.id, keychain, limit, { missing: true, evenIfUnproven })
  const held = await holdings.coins(gate.id, keychain, limit, { evenIfUnproven })
  const looked = [...missing, ...held]
  if (looked.length === 0) return 'all there'
  const chain = await followedChains.find(gate.id)
  if (chain === null) return 'unsure'
  const free = new Set<string>()
  for (let from = 0; from < looked.length; from += unspent.maxOutputs) {
    const found = await unspent.look(looked.slice(from, from + unspent.maxOutputs))
    if (
      found.tipHash !== chain.tip.hash &&
      !(options.evenIfBehind && (await isAhead(gate, chain.tip.height)))
    )
      return 'unsure'
    for (const name of found.free) free.add(name)
  }
  const isFree = (coin: Coin) => free.has(coinName(coin))
  await missingCoins.forget(gate.id, missing.filter(isFree))
  const news = await missingCoins.note(
    gate.id,
    held.filter((coin) => !isFree(coin)),
  )
  for (const coin of news) app.reports.coinMissing(gate, coin)
  return news.length > 0 ? 'some are missing' : 'all there'
}

async function isAhead(gate: Gate, height: bigint): Promise<boolean> {
  return (await gate.tip()).height >= height
}
