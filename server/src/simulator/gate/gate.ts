import type { Block, BlockRef, Transfer } from '../../domain/chain.ts'
import { gateId, keychainOf, type Network } from '../../domain/networks/network.ts'
import { nonceAccountName, nonceValueAt } from '../../domain/simulated-nonces.ts'
import type { Fate, SignedTransaction } from '../../domain/spends.ts'
import { coinName, type Uses, usesOf } from '../../domain/uses.ts'
import type { NonceUse } from '../../gates/account-refill.ts'
import { plainTransaction } from '../../gates/bitcoin/plain-transaction.ts'
import { readEnvelope } from '../../gates/evm/envelope.ts'
import type { Family } from '../../gates/family.ts'
import { type Gate, type GateAsset, nativeOf, type WatchedAddresses } from '../../gates/gate.ts'
import type { MakeTransaction } from './make-transaction.ts'
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
  /** The bytes of transactions, by hash, where they have any: with witnesses, as they were sent. */
  bytesOf(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  /** What outputs of pending or mined transactions pay, by coin name. */
  paid(coins: readonly SpentCoin[]): Promise<ReadonlyMap<string, PaidCoin>>
  /** Adds a transaction to the mempool. Null when it was added or already known; otherwise why it was refused. */
  execute(executable: Executable): Promise<string | null>
  fate(candidates: readonly { readonly hash: string; readonly uses: Uses }[]): Promise<Fate>
  nextNonce(address: string): Promise<bigint>
  /** The same by transactions with at least this many confirmations only; where transactions hold nonce accounts. */
  deepNonce?(address: string, confirmations: number): Promise<bigint>
  /** The mined transaction that used a nonce, with its bytes where it has any; null while none has. */
  nonceUse?(address: string, nonce: bigint): Promise<SimulatedUse | null>
  /** An account's balance of a currency in mined blocks. */
  balance(address: string, currency: string): Promise<bigint>
}

export type SimulatedUse = {
  readonly hash: string
  readonly block: BlockRef
  readonly bytes: Uint8Array | null
}

/** The name of every simulated chain. */
const simulatedChain = 'simulated'
const maxFetched = 100
const withoutBytes =
  'It was made by a version of the simulator whose payments have no bytes. Make a new deposit and pay from that.'

export type SimulatedGateOptions = {
  readonly network: Network
  readonly assets: readonly GateAsset[]
  readonly family: Family
  readonly chain: SimulatedChain
  readonly reader: SignedBytesReader
  readonly makeTransaction: MakeTransaction
}

/** The gate of a simulated network. Live networks are never simulated, so the environment is always test. */
export function simulatedGate({
  network,
  assets,
  family,
  chain,
  reader,
  makeTransaction,
}: SimulatedGateOptions): Gate {
  const known = new Set(assets.map(({ currency }) => currency))
  const ours = network.tag?.onDeposits ? toAccount(accountOf(network, family)) : askWatched

  const select: Select = async (transfers, watched) =>
    ours(
      transfers.filter(({ currency }) => known.has(currency)),
      watched,
    )

  const bytesOf: BytesOf = async (transfers) => {
    if (family.spending.kind !== 'coins') return null
    if (transfers.length === 0) return new Map()
    return plainBytesOf([...new Set(transfers.map(({ txHash }) => txHash))])
  }

  async function plainBytesOf(hashes: readonly string[]): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>()
    for (const [hash, whole] of await chain.bytesOf(hashes)) {
      const plain = plainTransaction(whole, hash)
      if (plain !== null) found.set(hash, plain)
    }
    return found
  }

  async function fetch(wanted: readonly { readonly hash: string }[]) {
    const found = await plainBytesOf(wanted.map(({ hash }) => hash))
    return wanted.map(({ hash }) => found.get(hash) ?? { refused: withoutBytes })
  }

  async function fetchWhole({ hash }: { readonly hash: string }) {
    return (await chain.bytesOf([hash])).get(hash) ?? { refused: withoutBytes }
  }

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
    simulated: { makeTransaction },
    tip: () => chain.tip(),
    async block(height, watched) {
      const block = await chain.block(height)
      if (block === null) return null
      const { ref, parentHash, minedAt, outputs } = block
      const transfers = await select(outputs, watched)
      return withTransactions({ ...ref, parentHash, minedAt, transfers }, await bytesOf(transfers))
    },
    ...(chain.blocks !== undefined && { blocks: blocksWith(chain.blocks, select, bytesOf) }),
    pending: async (watched) => select(await chain.waiting(), watched),
    ...(chain.look !== undefined && { look: lookWith(chain.look, select) }),
    feeRate: async () => network.simulatedFeeRate,
    broadcast,
    unspent: null,
    transactions:
      family.spending.kind === 'coins' ? { maxTransactions: maxFetched, fetch, fetchWhole } : null,
    fate: (candidates) => chain.fate(candidates.map(({ hash, plan }) => ({ hash, uses: usesOf(plan) }))),
    nextNonce: (address) => chain.nextNonce(address),
    ...(family.spending.kind !== 'coins' && {
      nativeBalance: (address: string) => chain.balance(address, nativeOf(assets).currency),
    }),
    ...(family.spending.kind === 'solana' &&
      chain.deepNonce !== undefined && {
        nonceAccounts: nonceAccountsWith(chain.deepNonce, network.confirmations, family.spending),
      }),
    ...(family.spending.kind === 'account' &&
      chain.nonceUse !== undefined &&
      refillsWith(chain, chain.nonceUse, network)),
  }
}

/**
 * All nonce accounts exist from the start, as the hot wallet has its gas: the sandbox has no operator. As at a node, a value
 * counts once no reorganisation can bring back the one before.
 */
function nonceAccountsWith(
  deepNonce: NonNullable<SimulatedChain['deepNonce']>,
  confirmations: number,
  { hotAddress }: Extract<Family['spending'], { kind: 'solana' }>,
): NonNullable<Gate['nonceAccounts']> {
  return {
    async values(indexes) {
      const values = new Map<number, string>()
      for (const index of hotAddress === null ? [] : indexes) {
        const account = nonceAccountName(hotAddress ?? '', index)
        values.set(index, nonceValueAt(account, await deepNonce(account, confirmations)))
      }
      return values
    },
    creation: async () => {
      throw new Error('Every nonce account of a simulated network exists.')
    },
  }
}

function refillsWith(
  { nextNonce }: SimulatedChain,
  nonceUse: NonNullable<SimulatedChain['nonceUse']>,
  { simulatedFeeRate: gasPrice }: Network,
): Pick<Gate, 'nonceUse' | 'signingTerms'> {
  return {
    nonceUse: async (address, nonce) => useFrom(await nonceUse(address, nonce)),
    signingTerms: async (address) => ({
      nonce: await nextNonce(address),
      isBusy: false,
      gasPrice,
      gasTip: gasPrice,
    }),
  }
}

function useFrom(use: SimulatedUse | null): NonceUse | null {
  if (use === null) return null
  const { hash, block, bytes } = use
  const request = bytes === null ? undefined : readEnvelope(bytes)?.request
  if (bytes === null || request === undefined) return { block, transaction: null }
  const { to, value, data } = request
  return { block, transaction: { hash, bytes, to, value, input: data } }
}

type Select = (transfers: readonly Transfer[], watched: WatchedAddresses) => Promise<readonly Transfer[]>

/** The bytes of the transactions that made transfers, by hash; null where no coins are spent. */
type BytesOf = (transfers: readonly Transfer[]) => Promise<ReadonlyMap<string, Uint8Array> | null>

function withTransactions(block: Block, bytes: ReadonlyMap<string, Uint8Array> | null): Block {
  if (bytes === null) return block
  const hashes = new Set(block.transfers.map(({ txHash }) => txHash))
  const made = [...bytes].filter(([hash]) => hashes.has(hash))
  return { ...block, transactionBytes: made.map(([hash, found]) => ({ hash, bytes: found })) }
}

function lookWith(look: NonNullable<SimulatedChain['look']>, select: Select): NonNullable<Gate['look']> {
  return async (watched) => {
    const { tip, waiting } = await look()
    return { tip, pending: await select(waiting, watched) }
  }
}

function blocksWith(
  blocks: NonNullable<SimulatedChain['blocks']>,
  select: Select,
  bytesOf: BytesOf,
): NonNullable<Gate['blocks']> {
  return async (first, last, watched) => {
    const shown = await blocks(first, last)
    const ours = new Set(
      await select(
        shown.flatMap(({ outputs }) => outputs),
        watched,
      ),
    )
    const bytes = await bytesOf([...ours])
    return shown.map(({ ref, parentHash, minedAt, outputs }) => {
      const transfers = outputs.filter((output) => ours.has(output))
      return withTransactions({ ...ref, parentHash, minedAt, transfers }, bytes)
    })
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
