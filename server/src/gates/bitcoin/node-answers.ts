import { hex } from '@scure/base'
import type { BlockRef, Transfer } from '../../domain/chain.ts'
import type { WatchedAddresses } from '../gate.ts'
import { unbelievable } from '../unbelievable.ts'
import { count, exactUnits } from './exact-json.ts'
import { scriptOf } from './network.ts'
import type { NodeChain } from './node-chains.ts'

/** The fields we read of a transaction from `getblock` and `getrawtransaction`. None is trusted before it is checked. */
export type NodeTransaction = {
  readonly txid: string
  readonly hex?: unknown
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
  /** False when the node has moved to another branch. */
  readonly isOnBranch: boolean
  readonly transactions: readonly NodeTransaction[]
}

/** All Bitcoin-like networks count in 10^-8. */
const decimals = 8
const noParent = '0'.repeat(64)
const hashPattern = /^[0-9a-f]{64}$/
// Consensus: a coinbase output can be spent once it has a hundred confirmations, its own block included.
const coinbaseConfirmations = 100
// Scripts that pay a bare key: old nodes show the key's address for them, although they do not pay that address.
const addressless: ReadonlySet<unknown> = new Set(['pubkey', 'multisig'])

export function readHash(value: unknown): string {
  return typeof value === 'string' && hashPattern.test(value) ? value : unbelievable('it has no hash')
}

export function readHeight(value: unknown): bigint {
  return BigInt(count(value) ?? unbelievable('it has no height'))
}

/** Reads a header or a block; a header has no transactions. */
export function readBlock(answer: unknown, asked: BlockRef): NodeBlock {
  const block = (answer ?? {}) as Record<string, unknown>
  const seconds = count(block.time)
  if (readHash(block.hash) !== asked.hash || readHeight(block.height) !== asked.height)
    unbelievable('it shows a different block from the requested one')
  if (seconds === null || typeof block.confirmations !== 'number')
    unbelievable('a block has no time or depth')
  const transactions = block.tx ?? []
  if (!Array.isArray(transactions) || !transactions.every(isTransaction))
    unbelievable('a block contains something that is not a transaction')
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

/** What these transactions pay to watched addresses. Asks only once which addresses are watched. */
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
  // The script decides who is paid. The node's address for it is trusted only if ours gives the same script.
  if (output?.n !== at || output.scriptPubKey?.hex !== hex.encode(scriptOf(chain.rules, address)))
    unbelievable(`output ${at} of ${txid} does not pay ${address}`)
  const units = exactUnits(output?.value, decimals)
  if (units === null) unbelievable(`output ${at} of ${txid} has no valid amount`)
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
