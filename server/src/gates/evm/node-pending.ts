import type { BlockRef, Transfer } from '../../domain/chain.ts'
import { type GateAsset, nativeOf, type WatchedAddresses } from '../gate.ts'
import type { NodeRpc, RpcAnswer, RpcCall } from '../json-rpc.ts'
import { type NodeTransaction, readQuantity, readTransaction, transactionsOf } from './node-answers.ts'
import { readTransferCall } from './transfer-call.ts'

const none: readonly Transfer[] = []
// `transfer` returns true where it returns anything.
const isRefusedBy = (answer: unknown) => typeof answer === 'string' && /^0x0{64}$/.test(answer)

/**
 * Pending transfers, from the block that a node would mine next: native transfers to us, and plain `transfer` calls of
 * listed tokens that would succeed now. They have the same identity as when they are mined; any other transfer (a token
 * with a fee, a transfer by another contract) gets a different one there. Each transaction is checked once for payments to
 * us.
 */
export function nodePending(
  assets: readonly GateAsset[],
): (
  rpc: NodeRpc,
  transactions: readonly NodeTransaction[],
  watched: WatchedAddresses,
) => Promise<readonly Transfer[]> {
  let known: ReadonlyMap<string, readonly Transfer[]> = new Map()
  const { currency } = nativeOf(assets)
  const tokens = new Map(
    assets.flatMap((asset) =>
      asset.contractAddress === null ? [] : [[asset.contractAddress.toLowerCase(), asset.currency]],
    ),
  )

  /** The transfer, with its address in lower case. */
  function transferOf({ hash, from, to, value, input }: NodeTransaction): Transfer | null {
    if (to === null) return null
    const common = { txHash: hash, outputIndex: 0, tag: null }
    const units = readQuantity(value, 'an amount is invalid')
    if (units > 0n && from !== to) return { ...common, currency, address: to, units }
    const token = tokens.get(to)
    const call = token === undefined ? null : readTransferCall(input)
    if (token === undefined || call === null || call.to === from) return null
    return { ...common, currency: token, address: call.to, units: call.units }
  }

  return async (rpc, transactions, watched) => {
    const fresh = transactions.flatMap((transaction) => {
      const transfer = known.has(transaction.hash) ? null : transferOf(transaction)
      return transfer === null ? [] : [{ transaction, transfer }]
    })
    const ours =
      fresh.length === 0
        ? new Set<string>()
        : await watched.amongLower([...new Set(fresh.map(({ transfer }) => transfer.address))])
    const written = new Map([...ours].map((each) => [each.toLowerCase(), each]))
    const paying = fresh.flatMap(({ transaction, transfer }) => {
      const address = written.get(transfer.address)
      return address === undefined ? [] : [{ transaction, transfer: { ...transfer, address } }]
    })
    const found = new Map(
      (await thatSucceed(rpc, paying)).map(({ transaction, transfer }) => [transaction.hash, [transfer]]),
    )
    known = new Map(transactions.map(({ hash }) => [hash, known.get(hash) ?? found.get(hash) ?? none]))
    return [...known.values()].flat()
  }
}

/** Requests the block that a node would mine next. */
export const pendingCall: RpcCall = ['eth_getBlockByNumber', 'pending', true]

/**
 * The transactions of the pending block if it builds on `newest`; null when it builds on another block, since a missing
 * transaction may then be in a block that we have not seen.
 */
export function readPending(answer: RpcAnswer | undefined, newest?: BlockRef): NodeTransaction[] | null {
  // Not every node offers a pending block. Without one, payments show when they are mined.
  if (answer === undefined || 'refusal' in answer || answer.result === null) return []
  const block = answer.result as Record<'hash' | 'parentHash' | 'transactions', unknown>
  // Some nodes return the newest block instead.
  if (newest !== undefined && block.hash === newest.hash) return []
  if (newest !== undefined && block.parentHash !== newest.hash) return null
  return transactionsOf(block).map(readTransaction)
}

/** Leaves out token calls that would fail now: anyone can send those, and they will never pay. */
async function thatSucceed<T extends { transaction: NodeTransaction; transfer: Transfer }>(
  rpc: NodeRpc,
  paying: readonly T[],
): Promise<T[]> {
  const isCall = ({ transaction }: T) => readQuantity(transaction.value) === 0n
  const tried = paying.filter(isCall)
  const answers = await rpc.batch(
    tried.map(
      ({ transaction: { from, to, input } }): RpcCall => ['eth_call', { from, to, data: input }, 'latest'],
    ),
  )
  const failing = new Set(
    tried.filter((_, at) => {
      const answer = answers[at]
      return answer === undefined || 'refusal' in answer || isRefusedBy(answer.result)
    }),
  )
  return paying.filter((each) => !failing.has(each))
}
