import type { BlockRef, Transfer } from '../../domain/chain.ts'
import { gateId, keychainOf, type Network } from '../../domain/networks/network.ts'
import type { Fate, SignedTransaction } from '../../domain/spends.ts'
import { coinName, type Uses, usesOf } from '../../domain/uses.ts'
import type { Family } from '../../gates/family.ts'
import { type Gate, type GateAsset, nativeOf, type WatchedAddresses } from '../../gates/gate.ts'
import type { Executable, PaidCoin, SignedBytesReader, SpentCoin } from './signed-bytes.ts'

type ShownBlock = {
  readonly ref: BlockRef
  readonly parentHash: string
  readonly minedAt: Date
  readonly outputs: readonly Transfer[]
}

/** A simulated chain, as its store shows it. Errors of the store are passed on unchanged. */
export type SimulatedChain = {
  tip(): Promise<BlockRef>
  /** Null above the tip. */
  block(height: bigint): Promise<ShownBlock | null>
  /** Blocks in a row, from the first to at most the last; empty above the tip. */
  blocks?(first: bigint, last: bigint): Promise<readonly ShownBlock[]>
  waiting(): Promise<readonly Transfer[]>
  /** The tip, and what is waiting on exactly that tip, where both can be read at once. */
  look?(): Promise<{ readonly tip: BlockRef; readonly waiting: readonly Transfer[] }>
  /** What outputs of pending or mined transactions pay, by coin name. */
  paid(coins: readonly SpentCoin[]): Promise<ReadonlyMap<string, PaidCoin>>
  /** Adds a transaction to the mempool. Null when it was added or already known; otherwise why it was refused. */
  execute(executable: Executable): Promise<string | null>
  fate(candidates: readonly { readonly hash: string; readonly uses: Uses }[]): Promise<Fate>
  nextNonce(address: string): Promise<bigint>
  /** An account's balance of a currency in mined blocks. */
  balance(address: string, currency: string): Promise<bigint>
}

/** The name of every simulated chain. */
const simulatedChain = 'simulated'

export type SimulatedGateOptions = {
  readonly network: Network
  readonly assets: readonly GateAsset[]
  readonly family: Family
  readonly chain: SimulatedChain
  readonly reader: SignedBytesReader
  /** A new hash in the network's format. */
  readonly makeTransactionHash: () => string
}

/** The gate of a simulated network. Live networks are never simulated, so the environment is always test. */
export function simulatedGate({
  network,
  assets,
  family,
  chain,
  reader,
  makeTransactionHash,
}: SimulatedGateOptions): Gate {
  const known = new Set(assets.map(({ currency }) => currency))
  const ours = network.tag === null ? askWatched : toAccount(accountOf(network, family))

  const select: Select = async (transfers, watched) =>
    ours(
      transfers.filter(({ currency }) => known.has(currency)),
      watched,
    )

  async function broadcast({ hash, bytes }: SignedTransaction): Promise<string | null> {
    const coins = reader.coinsOf(bytes)
    if (coins === null) return `These bytes are not a ${network.name} transaction.`
    const paid = await chain.paid(coins)
    const executable = reader.read(bytes, (coin) => paid.get(coinName(coin)))
    if ('refused' in executable) return executable.refused
    if (executable.hash !== hash) return `Its hash is ${executable.hash}, not ${hash}.`
    return chain.execute(executable)
  }

  return {
    ...family,
    id: gateId(network.id, 'test'),
    network,
    environment: 'test',
    keychain: keychainOf(network, 'test'),
    chain: simulatedChain,
    assets,
    simulated: { makeTransactionHash },
    tip: () => chain.tip(),
    async block(height, watched) {
      const block = await chain.block(height)
      if (block === null) return null
      const { ref, parentHash, minedAt, outputs } = block
      return { ...ref, parentHash, minedAt, transfers: await select(outputs, watched) }
    },
    ...(chain.blocks !== undefined && { blocks: blocksWith(chain.blocks, select) }),
    pending: async (watched) => select(await chain.waiting(), watched),
    ...(chain.look !== undefined && { look: lookWith(chain.look, select) }),
    feeRate: async () => network.simulatedFeeRate,
    broadcast,
    unspent: null,
    fate: (candidates) => chain.fate(candidates.map(({ hash, plan }) => ({ hash, uses: usesOf(plan) }))),
    nextNonce: (address) => chain.nextNonce(address),
    ...(family.spending.kind === 'account' && {
      nativeBalance: (address: string) => chain.balance(address, nativeOf(assets).currency),
    }),
  }
}

type Select = (transfers: readonly Transfer[], watched: WatchedAddresses) => Promise<readonly Transfer[]>

function lookWith(look: NonNullable<SimulatedChain['look']>, select: Select): NonNullable<Gate['look']> {
  return async (watched) => {
    const { tip, waiting } = await look()
    return { tip, pending: await select(waiting, watched) }
  }
}

function blocksWith(
  blocks: NonNullable<SimulatedChain['blocks']>,
  select: Select,
): NonNullable<Gate['blocks']> {
  return async (first, last, watched) => {
    const shown = await blocks(first, last)
    const ours = new Set(
      await select(
        shown.flatMap(({ outputs }) => outputs),
        watched,
      ),
    )
    return shown.map(({ ref, parentHash, minedAt, outputs }) => ({
      ...ref,
      parentHash,
      minedAt,
      transfers: outputs.filter((output) => ours.has(output)),
    }))
  }
}

type Selection = (
  transfers: readonly Transfer[],
  watched: WatchedAddresses,
) => Promise<readonly Transfer[]> | readonly Transfer[]

const askWatched: Selection = async (transfers, watched) => {
  if (transfers.length === 0) return []
  const found = await watched.among([...new Set(transfers.map(({ address }) => address))])
  return transfers.filter(({ address }) => found.has(address))
}

// Where tags tell payers apart, a payment with a wrong or missing tag is still money that we hold.
const toAccount =
  (account: string): Selection =>
  (transfers) =>
    transfers.filter(({ address }) => address === account)

function accountOf(network: Network, family: Family): string {
  const account = family.depositAddress(0)?.address
  if (account === undefined) throw new Error(`${network.name} uses tags, but we have no account there.`)
  return account
}
