import type { BlockRef, Transfer } from '../../domain/chain.ts'
import { type GateAsset, nativeOf, type WatchedAddresses } from '../gate.ts'
import type { NodeRpc, RpcAnswer, RpcCall } from '../json-rpc.ts'
import { type NodeTransaction, readQuantity, readTransaction, transactionsOf } from './node-answers.ts'
import { readTransferCall } from './transfer-call.ts'

const none: readonly Transfer[] = []
// What `transfer` returns where it returns anything: true.
const isRefusedBy = (answer: unknown) => typeof answer === 'string' && /^0x0{64}$/.test(answer)

/**
 * What waits, as the block shows it that a node would make next: coins sent to us, and plain `transfer` calls of listed
 * tokens that would succeed now. They are named as they will be when they are mined; whatever else happens to a transfer
 * (a fee is taken, it is done by another contract) gives it another name there. Whether a transaction pays us is asked
 * once.
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

  /** With the address in lower case. */
  function transferOf({ hash, from, to, value, input }: NodeTransaction): Transfer | null {
    if (to === null) return null
    const common = { txHash: hash, outputIndex: 0, tag: null }
    const units = readQuantity(value, 'an amount is none')
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

/** Asks for the block that a node would make next. */
export const pendingCall: RpcCall = ['eth_getBlockByNumber', 'pending', true]

/**
 * The transactions in it, if it stands on `newest`; null when it stands on another block, so that what is missing may be in one
 * that we have not seen.
 */
export function readPending(answer: RpcAnswer | undefined, newest?: BlockRef): NodeTransaction[] | null {
  // Not every node makes blocks, or shows what it would put in one: then payments show when they are mined.
  if (answer === undefined || 'refusal' in answer || answer.result === null) return []
  const block = answer.result as Record<'hash' | 'parentHash' | 'transactions', unknown>
  // Some show the newest block in its place.
  if (newest !== undefined && block.hash === newest.hash) return []
  if (newest !== undefined && block.parentHash !== newest.hash) return null
  return transactionsOf(block).map(readTransaction)
}

/** Without the calls of tokens that would fail now: anybody can send those, and they will never pay. */
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
