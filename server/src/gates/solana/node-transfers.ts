import { createHash } from 'node:crypto'
import type { Transfer } from '../../domain/chain.ts'
import { type GateAsset, nativeOf, type WatchedAddresses } from '../gate.ts'
import { unbelievable } from '../unbelievable.ts'
import {
  addressIn,
  listedIn,
  type NodeBlock,
  type NodeHeader,
  type NodeTransaction,
  readLamports,
  readSignature,
  readTokenBalance,
  type TokenBalance,
  type UnreadTokenBalance,
} from './node-answers.ts'

// A transfer's index has 31 bits: whether it is of a token, the position of its account, and a hash of what arrived.
const placeBits = 8
const amountBits = 22

type Listed = ReadonlyMap<string, GateAsset>

/** An address that may have more after a transaction than before, SOL or tokens, with what is needed to count it. */
type Gainer = { readonly signature: unknown; readonly address: string } & (
  | { readonly place: number; readonly before: unknown; readonly after: unknown }
  | {
      readonly place: null
      /** How many accounts the transaction has. */
      readonly accounts: number
      readonly before: readonly UnreadTokenBalance[]
      readonly after: readonly UnreadTokenBalance[]
    }
)

/** A block, and of its transactions only what may have paid us. */
export type SelectedBlock = NodeHeader & { readonly gainers: readonly Gainer[] }

/**
 * What each of these blocks pays to watched addresses: SOL by the change of the address's balance, and listed tokens by the
 * change of all token accounts that it owns, each as one transfer a transaction. What arrived counts, through any program and
 * after any withheld fee. Asks only once which addresses are watched.
 *
 * A transaction that is executed again on another branch may bring another amount, so the index includes the amount: then it
 * is a different transfer.
 */
export async function transfersIn(
  assets: readonly GateAsset[],
  blocks: readonly SelectedBlock[],
  watched: WatchedAddresses,
): Promise<Transfer[][]> {
  const native = nativeOf(assets)
  const listed = listedOf(assets)
  const addresses = new Set<string>()
  for (const { gainers } of blocks) for (const { address } of gainers) addresses.add(address)
  const ours = addresses.size === 0 ? addresses : await watched.among([...addresses])
  return blocks.map(({ gainers }) => {
    const found = gainers
      .filter(({ address }) => ours.has(address))
      .flatMap((gainer) => gainsOf(gainer, native, listed))
    const names = new Set(found.map(({ txHash, outputIndex }) => `${txHash}:${outputIndex}`))
    return names.size === found.length ? found : unbelievable('a block contains a transaction twice')
  })
}

function listedOf(assets: readonly GateAsset[]): Listed {
  return new Map(
    assets.flatMap((asset) => (asset.contractAddress === null ? [] : [[asset.contractAddress, asset]])),
  )
}

/**
 * Leaves out all but the addresses that may have gained something. A block has megabytes of balances: they are looked at once,
 * no more than that needs, and then let go.
 */
export function selectGainers(assets: readonly GateAsset[]): (block: NodeBlock) => SelectedBlock {
  const listed = listedOf(assets)
  return ({ transactions, ...header }) => ({ ...header, gainers: gainersIn(transactions, listed) })
}

/**
 * Leaves out balances that have lost digits on the way. Of ours none may be passed over, but `sluice gate try` looks at accounts of
 * others, and the largest of them have more than a JSON number can count.
 */
export function onlyCountable({ gainers, ...block }: SelectedBlock): SelectedBlock {
  const isCountable = (gainer: Gainer) =>
    gainer.place === null || [gainer.before, gainer.after].every(Number.isSafeInteger)
  return { ...block, gainers: gainers.filter(isCountable) }
}

function gainersIn(transactions: readonly NodeTransaction[], listed: Listed): readonly Gainer[] {
  const gainers: Gainer[] = []
  const isListed = (mint: string) => listed.has(mint)
  for (const transaction of transactions) {
    const { signature, accounts, before, after, tokensBefore, tokensAfter } = transaction
    for (let place = 0; place < accounts.length; place++) {
      const [was, is] = [before[place], after[place]]
      if (typeof was !== 'number' || typeof is !== 'number') return unbelievable('a balance is not a number')
      // A number that has lost digits may hide a gain.
      if (is > was || is > Number.MAX_SAFE_INTEGER)
        gainers.push({ signature, place, address: addressIn(accounts[place]), before: was, after: is })
    }
    if (tokensAfter.length === 0) continue
    const tokens = listedIn(tokensAfter, isListed)
    if (tokens.length === 0) continue
    const had = listedIn(tokensBefore, isListed)
    const owners = new Set<string>()
    for (const has of tokens) if (mayHaveGained(has, had)) owners.add(has.owner)
    for (const address of owners)
      gainers.push({ signature, place: null, address, accounts: accounts.length, before: had, after: tokens })
  }
  return gainers
}

function mayHaveGained(has: UnreadTokenBalance, had: readonly UnreadTokenBalance[]): boolean {
  const before = had.find(({ accountIndex }) => accountIndex === has.accountIndex)
  if (before === undefined || before.owner !== has.owner || before.mint !== has.mint) return true
  const [was, is] = [before.uiTokenAmount.amount, has.uiTokenAmount.amount]
  // Amounts may be too large for a number, but the larger one is never the smaller number.
  return was !== is && !(Number(is) >= 0 && Number(is) < Number(was))
}

function gainsOf(gainer: Gainer, native: GateAsset, listed: Listed): Transfer[] {
  const { signature, address } = gainer
  if (gainer.place !== null) {
    const units = readLamports(gainer.after) - readLamports(gainer.before)
    return units > 0n ? [transferOf(signature, address, gainer.place, native, units)] : []
  }
  // By mint, over all token accounts of the address: moving tokens from one to another is no gain.
  const { accounts } = gainer
  const [before, after] = [ownedIn(gainer.before), ownedIn(gainer.after)]
  return [...new Set(after.map(({ mint }) => mint))].flatMap((mint) => {
    const asset = listed.get(mint) as GateAsset
    const had = before.filter((balance) => balance.mint === mint)
    const has = after.filter((balance) => balance.mint === mint)
    // A mint's decimals never change. With others than ours, every amount would be wrong by powers of ten.
    const wrong = has.find(({ decimals }) => decimals !== asset.decimals)
    if (wrong !== undefined)
      return unbelievable(`${asset.currency} has ${wrong.decimals} decimals, not ${asset.decimals}`)
    const units = sumOf(has) - sumOf(had)
    const place = Math.min(...has.map((balance) => balance.place))
    return units > 0n ? [transferOf(signature, address, place, asset, units)] : []
  })

  function ownedIn(balances: readonly UnreadTokenBalance[]): readonly TokenBalance[] {
    const found = balances
      .map((balance) => readTokenBalance(balance, accounts))
      .filter(({ owner }) => owner === address)
    const places = new Set(found.map(({ place }) => place))
    return places.size === found.length ? found : unbelievable('a token account has two balances')
  }
}

function sumOf(balances: readonly TokenBalance[]): bigint {
  return balances.reduce((sum, { units }) => sum + units, 0n)
}

function transferOf(
  signature: unknown,
  address: string,
  place: number,
  { currency, contractAddress }: GateAsset,
  units: bigint,
): Transfer {
  const digest = createHash('sha256').update(`${address} ${currency} ${units}`).digest()
  const hashed = digest.readUInt32BE(0) % 2 ** amountBits
  const outputIndex = ((contractAddress === null ? 0 : 2 ** placeBits) + place) * 2 ** amountBits + hashed
  return { txHash: readSignature(signature), outputIndex, currency, address, tag: null, units }
}
