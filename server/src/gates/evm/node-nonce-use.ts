import type { BlockRef } from '../../domain/chain.ts'
import type { NonceUse } from '../account-refill.ts'
import { GateOutageError } from '../gate.ts'
import { type NodeRpc, type RpcCall, RpcRefusal, resultOf } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { signedForm } from './envelope.ts'
import { bytesOf, hashOf } from './hex.ts'
import { readBlock, readHash, readHeight, readQuantity, readTransaction } from './node-answers.ts'
import { quantity } from './node-blocks.ts'
import { firstWith, hashAt } from './node-fate.ts'

type Asked = { readonly address: string; readonly nonce: bigint; readonly hints: readonly string[] }

// The branch may change between two requests; then all are repeated.
const maxTries = 5
const hexPattern = /^0x([0-9a-fA-F]{2})+$/

/** Which transaction used a nonce of an account, up to the block that `tipOf` returns; null while none has. */
export async function nodeNonceUse(
  rpc: NodeRpc,
  asked: Asked,
  tipOf: (rpc: NodeRpc) => Promise<BlockRef>,
): Promise<NonceUse | null> {
  for (let tries = 0; tries < maxTries; tries++) {
    const use = await look(rpc, asked, await tipOf(rpc))
    if (use !== 'changed') return use
  }
  throw new GateOutageError('The chain changed during the search for a transaction.')
}

async function look(rpc: NodeRpc, asked: Asked, tip: BlockRef): Promise<NonceUse | null | 'changed'> {
  const { address, nonce } = asked
  const used = readQuantity(await rpc.call('eth_getTransactionCount', address, { blockHash: tip.hash }))
  if (used <= nonce) return null
  const hinted = await amongHints(rpc, asked, tip)
  if (hinted !== null) return hinted
  const { height, isFirst } = await firstWith(rpc, address, nonce, tip.height)
  const block = readBlock(await rpc.call('eth_getBlockByNumber', quantity(height), true), { height })
  if ((await hashAt(rpc, tip.height)) !== tip.hash) return 'changed'
  const user = block.transactions.find((each) => isBy(each, address, nonce))
  if (user === undefined && isFirst)
    unbelievable(`block ${height} uses nonce ${nonce} of ${address} without a transaction`)
  const ref = { height, hash: block.hash }
  return { block: ref, transaction: user === undefined ? null : await contentOf(rpc, user) }
}

/** The use, if one of the hints is its transaction and its block is still on the node's branch. */
async function amongHints(rpc: NodeRpc, { address, nonce, hints }: Asked, tip: BlockRef) {
  if (hints.length === 0) return null
  const answers = await rpc.batch(hints.map((hash): RpcCall => ['eth_getTransactionByHash', hash]))
  for (const answer of answers) {
    const found = resultOf(answer) as Record<string, unknown> | null
    if (found === null || found.blockHash == null || !isBy(found, address, nonce)) continue
    const block = { height: readHeight(found.blockNumber), hash: readHash(found.blockHash) }
    if (block.height > tip.height || (await hashAt(rpc, block.height)) !== block.hash) continue
    return { block, transaction: await contentOf(rpc, found) }
  }
  return null
}

function isBy(answer: unknown, address: string, nonce: bigint): boolean {
  const { from, nonce: used } = readTransaction(answer)
  return from === address.toLowerCase() && readQuantity(used) === nonce
}

async function contentOf(rpc: NodeRpc, answer: unknown): Promise<NonNullable<NonceUse['transaction']>> {
  const { hash, to, value, input } = readTransaction(answer)
  const built = rebuilt(answer as Record<string, unknown>)
  const bytes = built !== null && hashOf(built) === hash ? built : await rawOf(rpc, hash)
  return { hash, bytes, to, value: readQuantity(value, 'an amount is invalid'), input: input.toLowerCase() }
}

/** The bytes of a transaction of type 2 without an access list, or of type 0; null of any other. The hash proves them. */
function rebuilt(answer: Record<string, unknown>): Uint8Array | null {
  const { to, nonce, value, input } = readTransaction(answer)
  const isLegacy = answer.type === '0x0' || answer.type == null
  if (to === null || !hexPattern.test(`${input}00`) || (!isLegacy && answer.type !== '0x2')) return null
  const number = (name: string) => readQuantity(answer[name])
  const v = isLegacy ? number('v') : number('yParity' in answer ? 'yParity' : 'v')
  // EIP-155; older signatures name no chain, and are not rebuilt.
  if (isLegacy && v < 35n) return null
  return signedForm(
    {
      chainId: Number(isLegacy ? (v - 35n) / 2n : number('chainId')),
      nonce: readQuantity(nonce),
      to,
      value: readQuantity(value),
      data: input as `0x${string}`,
      gasLimit: number('gas'),
      gasPrice: number(isLegacy ? 'gasPrice' : 'maxFeePerGas'),
      gasTip: isLegacy ? null : number('maxPriorityFeePerGas'),
    },
    { r: number('r'), s: number('s'), yParity: Number(isLegacy ? (v - 35n) % 2n : v) },
  )
}

/** The bytes of a transaction of any other type. Not every node has this call. */
async function rawOf(rpc: NodeRpc, hash: string): Promise<Uint8Array> {
  try {
    const raw = await rpc.call('eth_getRawTransactionByHash', hash)
    if (typeof raw === 'string' && hexPattern.test(raw)) {
      const bytes = bytesOf(raw as `0x${string}`)
      return hashOf(bytes) === hash
        ? bytes
        : unbelievable('it shows a different transaction from the requested one')
    }
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error
  }
  throw new GateOutageError(
    `The node does not give the bytes of ${hash} (eth_getRawTransactionByHash). Add a node to rpc_urls that does.`,
  )
}
