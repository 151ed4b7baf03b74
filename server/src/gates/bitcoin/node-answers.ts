import { hex } from '@scure/base'
import type { BlockRef, Transfer } from '../../domain/chain.ts'
import { GateOutageError, type WatchedAddresses } from '../gate.ts'
import { count, exactUnits } from './exact-json.ts'
import { scriptOf } from './network.ts'
import type { NodeChain } from './node-chains.ts'

/** What is read of a transaction as `getblock` and `getrawtransaction` show it; nothing of it is believed unread. */
export type NodeTransaction = {
  readonly txid: string
  readonly vin: readonly { readonly coinbase?: unknown; readonly txid?: unknown; readonly vout?: unknown }[]
  readonly vout: readonly {
    readonly n?: unknown
    readonly value?: unknown
    readonly scriptPubKey?: {
      readonly hex?: unknown
      readonly type?: unknown
      /** Since Bitcoin Core 22. */
      readonly address?: unknown
      /** Until Bitcoin Core 21. */
      readonly addresses?: unknown
    }
  }[]
}

export type NodeBlock = BlockRef & {
  readonly parentHash: string
  readonly minedAt: Date
  /** False when the node has left it for another branch. */
  readonly isOnBranch: boolean
  readonly transactions: readonly NodeTransaction[]
}

/** All coins of this kind count in 10^-8. */
const decimals = 8
const noParent = '0'.repeat(64)
const hashPattern = /^[0-9a-f]{64}$/
// Consensus: what a block pays its miner can be spent when a hundred blocks are built, its own among them.
const coinbaseConfirmations = 100
// Written with the address of a key that they pay without an address.
const addressless: ReadonlySet<unknown> = new Set(['pubkey', 'multisig'])

/** Throws the outage that an answer which cannot be believed is. */
export function unbelievable(what: string): never {
  throw new GateOutageError(`The node’s answer cannot be believed: ${what}.`)
}

export function readHash(value: unknown): string {
  return typeof value === 'string' && hashPattern.test(value) ? value : unbelievable('it has no hash')
}

export function readHeight(value: unknown): bigint {
  return BigInt(count(value) ?? unbelievable('it has no height'))
}

/** A header or a block; without transactions it has none here. */
export function readBlock(answer: unknown, asked: BlockRef): NodeBlock {
  const block = (answer ?? {}) as Record<string, unknown>
  const seconds = count(block.time)
  if (readHash(block.hash) !== asked.hash || readHeight(block.height) !== asked.height)
    unbelievable('it shows another block than asked for')
  if (seconds === null || typeof block.confirmations !== 'number')
    unbelievable('a block lacks its time or depth')
  const transactions = block.tx ?? []
  if (!Array.isArray(transactions) || !transactions.every(isTransaction))
    unbelievable('a block holds what is no transaction')
  return {
    ...asked,
    parentHash: asked.height === 0n ? noParent : readHash(block.previousblockhash),
    minedAt: new Date((seconds as number) * 1000),
    isOnBranch: (block.confirmations as number) > 0,
    transactions,
  }
}

export function isTransaction(value: unknown): value is NodeTransaction {
  if (typeof value !== 'object' || value === null) return false
  const { txid, vin, vout } = value as Record<string, unknown>
  return typeof txid === 'string' && hashPattern.test(txid) && Array.isArray(vin) && Array.isArray(vout)
}

/** What these transactions pay to addresses that are watched, which is asked once. */
export async function transfersIn(
  chain: NodeChain,
  currency: string,
  transactions: readonly NodeTransaction[],
  watched: WatchedAddresses,
): Promise<Transfer[]> {
  const paying = new Map<string, { transaction: NodeTransaction; at: number }[]>()
  for (const transaction of transactions)
    for (const [at, output] of transaction.vout.entries()) {
      const address = addressIn(output)
      if (address === null) continue
      const others = paying.get(address)
      if (others === undefined) paying.set(address, [{ transaction, at }])
      else others.push({ transaction, at })
    }
  if (paying.size === 0) return []
  const ours = await watched.among([...paying.keys()])
  return [...ours].flatMap((address) =>
    (paying.get(address) ?? []).map(({ transaction, at }) =>
      transferOf(chain, currency, transaction, at, address),
    ),
  )
}

function transferOf(
  chain: NodeChain,
  currency: string,
  { txid, vin, vout }: NodeTransaction,
  at: number,
  address: string,
): Transfer {
  const output = vout[at]
  // The script is what is paid. What the node calls it is believed only if we would call it the same.
  if (output?.n !== at || output.scriptPubKey?.hex !== hex.encode(scriptOf(chain.rules, address)))
    unbelievable(`output ${at} of ${txid} does not pay ${address}`)
  const units = exactUnits(output?.value, decimals)
  if (units === null) unbelievable(`output ${at} of ${txid} has no sound amount`)
  const isCoinbase = vin[0]?.coinbase !== undefined
  return {
    txHash: txid,
    outputIndex: at,
    currency,
    address,
    tag: null,
    units: units as bigint,
    ...(isCoinbase && { leastConfirmations: coinbaseConfirmations }),
  }
}

function addressIn({ scriptPubKey }: NodeTransaction['vout'][number]): string | null {
  if (scriptPubKey === undefined || addressless.has(scriptPubKey.type)) return null
  const { address, addresses } = scriptPubKey
  if (typeof address === 'string') return address
  return Array.isArray(addresses) && addresses.length === 1 && typeof addresses[0] === 'string'
    ? addresses[0]
    : null
}
