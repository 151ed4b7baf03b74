import type { BlockRef, Transfer } from '../../domain/chain.ts'
import { gateId, type Network } from '../../domain/networks.ts'
import type { Family } from '../family.ts'
import type { Gate, GateAsset, WatchedAddresses } from '../gate.ts'

/** A chain that only pretends, as whoever keeps it shows it. Its outages are the keeper's and come through as they are. */
export type SimulatedChain = {
  tip(): Promise<BlockRef>
  /** Null when the chain is not so high. */
  block(height: bigint): Promise<{
    readonly ref: BlockRef
    readonly parentHash: string
    readonly minedAt: Date
    readonly outputs: readonly Transfer[]
  } | null>
  waiting(): Promise<readonly Transfer[]>
}

export type SimulatedGateOptions = {
  readonly network: Network
  readonly assets: readonly GateAsset[]
  readonly family: Family
  readonly chain: SimulatedChain
  /** A new hash, of the kind the network has. */
  readonly makeTransactionHash: () => string
}

/** The gate of a simulated network. Live networks are never simulated, so the environment is always test. */
export function simulatedGate({
  network,
  assets,
  family,
  chain,
  makeTransactionHash,
}: SimulatedGateOptions): Gate {
  const known = new Set(assets.map(({ currency }) => currency))
  const ours = network.tag === null ? askWatched : toAccount(accountOf(network, family))

  const select = async (transfers: readonly Transfer[], watched: WatchedAddresses) =>
    ours(
      transfers.filter(({ currency }) => known.has(currency)),
      watched,
    )

  return {
    ...family,
    id: gateId(network.id, 'test'),
    network,
    environment: 'test',
    assets,
    simulated: { makeTransactionHash },
    tip: () => chain.tip(),
    async block(height, watched) {
      const block = await chain.block(height)
      if (block === null) return null
      const { ref, parentHash, minedAt, outputs } = block
      return { ...ref, parentHash, minedAt, transfers: await select(outputs, watched) }
    },
    pending: async (watched) => select(await chain.waiting(), watched),
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

// Where the tag tells payers apart, a payment with a wrong one, or none, is still money that we hold.
const toAccount =
  (account: string): Selection =>
  (transfers) =>
    transfers.filter(({ address }) => address === account)

function accountOf(network: Network, family: Family): string {
  const account = family.depositAddress(0)?.address
  if (account === undefined) throw new Error(`${network.name} has tags but no account of ours.`)
  return account
}
