import type { PlacedUses } from '../../src/domain/simulated-nonces.ts'
import type { Fate } from '../../src/domain/spends.ts'
import { coinName, useNames } from '../../src/domain/uses.ts'
import { type Amount, BlockOrder, type Candidate } from '../../src/simulator/chain/order.ts'
import type { Executable, PaidCoin, SpentCoin } from '../../src/simulator/gate/signed-bytes.ts'
import type { ChainTransaction } from './chain.ts'

/** What a signed transaction uses up and what its sender pays; other transactions create coins from nothing. */
export type ChainSpend = Pick<Executable, 'debits' | 'feeUnits'> & { readonly uses: PlacedUses }

type Transactions = readonly ChainTransaction[]

export const usesOfTransaction = ({ coin, spend }: ChainTransaction): readonly string[] =>
  spend === null ? [coin] : useNames(spend.uses)

const isThere = ({ state }: ChainTransaction) => state !== 'gone'

export function paidCoins(all: Transactions, coins: readonly SpentCoin[]): Map<string, PaidCoin> {
  const paid = new Map<string, PaidCoin>()
  for (const coin of coins) {
    const output = all.find((each) => each.hash === coin.txHash && isThere(each))?.outputs[coin.outputIndex]
    if (output !== undefined) paid.set(coinName(coin), output)
  }
  return paid
}

/** These transactions and all that spend their outputs, recursively. */
export function withSpenders(all: Transactions, first: Transactions): Set<ChainTransaction> {
  const found = new Set(first)
  for (const parent of found)
    for (const each of all.filter(isThere))
      if (usesOfTransaction(each).some((use) => use.startsWith(`${parent.hash}:`))) found.add(each)
  return found
}

/** The transactions that must end for these bytes to be accepted, or the reason why they cannot be. */
export function admitted(
  all: Transactions,
  { uses, debits, feeRate }: Executable & { readonly uses: PlacedUses },
): Set<ChainTransaction> | string {
  if (uses.kind === 'coins' && paidCoins(all, uses.coins).size < new Set(useNames(uses)).size)
    return 'There is no such coin.'
  if (uses.kind === 'account' && (uses.nonce < 0n || uses.nonce < nextNonce(all, uses.address)))
    return 'The nonce is too low.'
  const names = new Set(useNames(uses))
  const rivals = all.filter((each) => isThere(each) && usesOfTransaction(each).some((use) => names.has(use)))
  if (rivals.some(({ state, fee }) => state === 'mined' || fee >= feeRate))
    return 'Another transaction uses the same.'
  const ends = withSpenders(all, rivals)
  if (uses.kind === 'coins') {
    const ended = new Set([...ends].map(({ hash }) => hash))
    return uses.coins.some(({ txHash }) => ended.has(txHash)) ? 'It spends what it would replace.' : ends
  }
  const { nonce, address: sender } = uses
  const isBefore = ({ spend }: ChainTransaction) =>
    spend?.uses.kind === 'account' && spend.uses.address === sender && spend.uses.nonce < nonce
  const waiting = all.filter((each) => each.state === 'waiting' && !ends.has(each) && isBefore(each))
  for (const { address = sender, currency, units } of debits) {
    const left = balance(all.filter(isMined), address === sender ? waiting : [], { address, currency })
    if (left < units) return `${address} has ${left} ${currency}.`
  }
  return ends
}

const isMined = ({ state }: ChainTransaction) => state === 'mined'

/** The balance of an account in a currency, from mined transactions. */
export function minedBalance(all: Transactions, of: Omit<Amount, 'units'>): bigint {
  return balance(all.filter(isMined), [], of)
}

/** What the mined transactions pay to an account, less what both groups take from it. */
function balance(mined: Transactions, waiting: Transactions, of: Omit<Amount, 'units'>): bigint {
  const sum = (amounts: readonly Amount[]) =>
    amounts
      .filter(({ address, currency }) => address === of.address && currency === of.currency)
      .reduce((total, { units }) => total + units, 0n)
  return sum(mined.flatMap(({ outputs }) => outputs)) - sum([...mined, ...waiting].flatMap(debitsOf))
}

const debitsOf = ({ spend }: ChainTransaction): Amount[] => {
  if (spend?.uses.kind !== 'account') return []
  const { address: sender } = spend.uses
  return spend.debits.map(({ address = sender, ...debit }) => ({ ...debit, address }))
}

export function nextNonce(all: Transactions, address: string): bigint {
  return BigInt(
    all.filter(
      (each) => isMined(each) && each.spend?.uses.kind === 'account' && each.spend.uses.address === address,
    ).length,
  )
}

/** Which of these can be in the next block on top of `below`, in their order. */
export function blockOrder(below: Transactions): {
  fill(these: Transactions, room: number): ChainTransaction[]
} {
  const held = new Set(below.map(({ hash }) => hash))
  const senders = new Set(
    below.flatMap(({ spend }) => (spend?.uses.kind === 'account' ? [spend.uses.address] : [])),
  )
  const amounts = below.flatMap((each) => [
    ...each.outputs,
    ...debitsOf(each).map((debit) => ({ ...debit, units: -debit.units })),
  ])
  const sums = new Map<string, Amount>()
  for (const { address, currency, units } of amounts) {
    const purse = `${address} ${currency}`
    sums.set(purse, { address, currency, units: (sums.get(purse)?.units ?? 0n) + units })
  }
  const order = new BlockOrder(
    [...senders].map((address) => [address, nextNonce(below, address)] as const),
    sums.values(),
  )
  const candidate = (each: ChainTransaction): Candidate => ({
    hash: each.hash,
    height: each.height,
    needs:
      each.spend?.uses.kind === 'coins'
        ? each.spend.uses.coins.map(({ txHash }) => txHash).filter((hash) => !held.has(hash))
        : [],
    account: each.spend?.uses.kind === 'account' ? each.spend.uses : null,
    debits: debitsOf(each),
    credits: each.outputs,
  })
  return {
    fill(these, room) {
      const taken = new Set(order.fill(these.map(candidate), room).taken.map(({ hash }) => hash))
      return these.filter(({ hash }) => taken.has(hash))
    },
  }
}

export function fateOf(
  all: Transactions,
  candidates: readonly { readonly hash: string; readonly uses: PlacedUses }[],
  blockAt: (height: bigint) => { readonly height: bigint; readonly hash: string },
): Fate {
  const hashes = new Set(candidates.map(({ hash }) => hash))
  const uses = new Set(candidates.flatMap((candidate) => useNames(candidate.uses)))
  const ours = all.filter((each) => isThere(each) && hashes.has(each.hash))
  for (const { hash, height, fee, spend } of ours)
    if (height !== null) {
      const feeUnits = spend?.feeUnits ?? fee
      return { kind: 'mined', hash, block: blockAt(height), feeUnits, succeeded: true }
    }
  if (ours[0] !== undefined) return { kind: 'waiting', hash: ours[0].hash }
  // If there are several, the first in the chain: since then it is ruled out.
  const [rival] = all
    .filter((each) => isMined(each) && usesOfTransaction(each).some((use) => uses.has(use)))
    .sort((a, b) => Number((a.height ?? 0n) - (b.height ?? 0n)))
  if (rival?.height == null) return { kind: 'unknown' }
  return { kind: 'ruled_out', block: blockAt(rival.height), reason: `${rival.hash} used the same.` }
}
