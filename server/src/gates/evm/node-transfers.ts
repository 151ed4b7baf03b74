import { createHash } from 'node:crypto'
import type { Transfer } from '../../domain/chain.ts'
import { type GateAsset, GateOutageError, nativeOf, type WatchedAddresses } from '../gate.ts'
import { type NodeRpc, type RpcAnswer, type RpcCall, resultOf } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { isMissingState, missingState } from './missing-state.ts'
import {
  type NodeLog,
  type NodeReceipt,
  type NodeTransaction,
  readLog,
  readQuantity,
  readReceipt,
  readTransaction,
  readWord,
  type UnreadLog,
} from './node-answers.ts'
import type { BlockContents } from './node-blocks.ts'
import { withoutReceipts } from './node-receipts.ts'
import { balanceCall, isTransferCall } from './transfer-call.ts'

const batchSize = 100
// A transfer's index has 31 bits: a flag for transfers identified by amount, the log's position, and a hash of the amount.
const byAmount = 2 ** 30
const placeBits = 12
const amountBits = 18

type PaidLog = { readonly log: NodeLog; readonly address: string; readonly asset: GateAsset }

/** What a block seems to pay us, before it is verified. */
type Claims = BlockContents & {
  readonly coins: readonly (NodeTransaction & { readonly address: string })[]
  /** By contract and address. */
  readonly tokens: readonly (readonly PaidLog[])[]
}

/**
 * What each of these blocks pays to watched addresses: the native currency in transactions that succeeded, and listed tokens
 * as far as they have really arrived. Asks only once which addresses are watched.
 *
 * A native transfer has index 0, and so has the token transfer of a plain `transfer` call, whose amount is in the signed
 * transaction itself. The amount of any other call depends on where it is mined (a swap brings more or less). Its index
 * therefore includes the amount: mined again with a different amount, it is a different transfer.
 */
export async function transfersIn(
  rpc: NodeRpc,
  assets: readonly GateAsset[],
  blocks: readonly BlockContents[],
  watched: WatchedAddresses,
): Promise<Transfer[][]> {
  const paidTo = new Set(
    blocks.flatMap(({ block, logs }) => [
      ...block.transactions.flatMap(({ to, value }) => (to === null || value === '0x0' ? [] : [to])),
      ...logs.map(({ to }) => to),
    ]),
  )
  const written = paidTo.size === 0 ? [] : await watched.amongLower([...paidTo])
  const ours = new Map([...written].map((address) => [address.toLowerCase(), address]))
  if (ours.size === 0) return blocks.map(() => [])
  const claims = blocks.map((contents) => claimsIn(contents, assets, ours))
  const proofs = await proofsOf(rpc, claims)
  const { currency } = nativeOf(assets)
  return claims.map((each, at) => {
    const { receipts, changes } = proofs[at] as Proofs
    const coins = each.coins
      .filter(({ hash }) => receipts.get(hash)?.succeeded)
      .map(({ hash, address, value }) => ({
        txHash: hash,
        outputIndex: 0,
        currency,
        address,
        tag: null,
        units: readQuantity(value, 'an amount is invalid'),
      }))
    return [...coins, ...tokenTransfers(each, receipts, changes)]
  })
}

function claimsIn(
  { block, logs }: BlockContents,
  assets: readonly GateAsset[],
  ours: ReadonlyMap<string, string>,
): Claims {
  const coins = block.transactions.flatMap((each) => {
    const address = each.to === null ? undefined : ours.get(each.to)
    const transaction = address === undefined ? null : readTransaction(each)
    return address === undefined || transaction === null || !paysCoins(transaction)
      ? []
      : [{ ...transaction, address }]
  })
  const paid = logs.flatMap((each): PaidLog[] => {
    const address = ours.get(each.to)
    const log = address === undefined ? null : readLog(each)
    const asset = assets.find(({ contractAddress }) => contractAddress?.toLowerCase() === each.contract)
    return address === undefined || log === null || asset === undefined ? [] : [{ log, address, asset }]
  })
  for (const [at, { log }] of paid.entries())
    if (at > 0 && log.index <= (paid[at - 1] as PaidLog).log.index) unbelievable('logs are out of order')
  const tokens = [...Map.groupBy(paid, ({ log }) => `${log.contract} ${log.to}`).values()]
  return { block, logs, coins, tokens }
}

function paysCoins({ from, to, value }: NodeTransaction): boolean {
  return to !== null && from !== to && readQuantity(value, 'an amount is invalid') > 0n
}

type Proofs = {
  readonly receipts: ReadonlyMap<string, NodeReceipt>
  /** How each balance changed over the block, according to the contracts themselves. */
  readonly changes: readonly bigint[]
}

/** The receipts of these claims' transactions, and the balance changes that the tokens report. */
async function proofsOf(rpc: NodeRpc, claims: readonly Claims[]): Promise<Proofs[]> {
  const wanted = claims.map((each) => ({ block: each.block, ...wantedFor(each) }))
  const calls = wanted.flatMap(({ block, hashes, places }): RpcCall[] => [
    ...hashes.map((txHash): RpcCall => ['eth_getTransactionReceipt', txHash]),
    ...places.flatMap(({ contract, to }) =>
      [block.parentHash, block.hash].map(
        (blockHash): RpcCall => ['eth_call', { to: contract, data: balanceCall(to) }, { blockHash }],
      ),
    ),
  ])
  const answers: RpcAnswer[] = []
  for (let at = 0; at < calls.length; at += batchSize)
    answers.push(...(await rpc.batch(calls.slice(at, at + batchSize))))
  let at = 0
  return wanted.map(({ block: { height, hash }, hashes, places }) => {
    const receipts = hashes.map((txHash): [string, NodeReceipt] => {
      const receipt = readReceipt(resultOf(answers[at++]), txHash)
      if (receipt?.block.hash !== hash) throw withoutReceipts(height)
      return [txHash, receipt]
    })
    const changes = places.map(() => {
      const before = balanceIn(answers[at++], height)
      return balanceIn(answers[at++], height) - before
    })
    return { receipts: new Map(receipts), changes }
  })
}

function wantedFor({ coins, tokens }: Claims): { hashes: readonly string[]; places: readonly NodeLog[] } {
  const hashes = new Set([...coins.map(({ hash }) => hash), ...tokens.flat().map(({ log }) => log.txHash)])
  return { hashes: [...hashes], places: tokens.map(([first]) => (first as PaidLog).log) }
}

function balanceIn(answer: RpcAnswer | undefined, height: bigint): bigint {
  if (answer === undefined || 'result' in answer) return readWord(resultOf(answer))
  if (isMissingState(answer.refusal)) throw missingState(height, answer.refusal)
  throw new GateOutageError(`A token does not return a balance: ${answer.refusal.message}`, {
    cause: answer.refusal,
  })
}

function tokenTransfers(
  { block, logs, tokens }: Claims,
  receipts: ReadonlyMap<string, NodeReceipt>,
  changes: readonly bigint[],
): Transfer[] {
  if (tokens.length === 0) return []
  const transactions = new Map(block.transactions.map((each) => [each.hash, each]))
  const transactionOf = (hash: unknown) => {
    const found = transactions.get(hash)
    return found === undefined ? unbelievable('a log belongs to no transaction') : readTransaction(found)
  }
  return tokens.flatMap((group, at) => {
    const { contract, to } = (group[0] as PaidLog).log
    // Tokens that the address itself sent in this block were part of its balance too. Logs of transactions that others
    // sent prove nothing about what left it.
    const sent = logs
      .filter((log) => log.contract === contract && isFrom(log, to))
      .flatMap((log) => readLog(log) ?? [])
      .filter(({ txHash }) => transactionOf(txHash).from === to)
      .reduce((sum, { units }) => sum + units, 0n)
    let left = (changes[at] as bigint) + sent
    return group.flatMap(({ log, address, asset }): Transfer[] => {
      const place = receipts.get(log.txHash)?.logs.indexOf(log.index) ?? -1
      if (place < 0) return unbelievable('a log belongs to no transaction')
      let { units } = log
      if (left < units) units = left
      if (units <= 0n) return []
      left -= units
      const isPlain = place === 0 && isTransferCall(transactionOf(log.txHash), contract, address, units)
      const outputIndex = isPlain ? 0 : numberOf(place, units)
      return [{ txHash: log.txHash, outputIndex, currency: asset.currency, address, tag: null, units }]
    })
  })
}

function isFrom({ topics: [, from] }: UnreadLog, address: string): boolean {
  return typeof from === 'string' && from.toLowerCase().endsWith(address.slice('0x'.length))
}

function numberOf(place: number, units: bigint): number {
  const digest = createHash('sha256').update(`${place} ${units}`).digest()
  const amount = digest.readUInt32BE(0) % 2 ** amountBits
  return byAmount + (place % 2 ** placeBits) * 2 ** amountBits + amount
}
