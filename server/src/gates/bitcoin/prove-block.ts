import { hash as digest } from 'node:crypto'
import { hex } from '@scure/base'
import type { Block } from '../../domain/chain.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { shownText } from '../shown-text.ts'
import { UntrueAnswer } from '../trial/untrue.ts'
import { unbelievable } from '../unbelievable.ts'
import { exactUnits } from './exact-json.ts'
import { type NodeTransaction, readBlock } from './node-answers.ts'
import { outputsOf, plainTransaction, txHashOf } from './plain-transaction.ts'

// Version, parent, merkle root, time, target, nonce.
const headerBytes = 80
const parentAt = 4
const rootAt = 36
const timeAt = 68
const decimals = 8
const headerPattern = /^[0-9a-f]{160}$/

/**
 * Recomputes a block from its bytes: the header has the hash and names the parent and the merkle root; the transactions have
 * their hashes, and together the root; and the amounts and scripts that the node shows are those of the bytes.
 */
export async function proveBlock(
  rpc: NodeRpc,
  { hash, height, parentHash, minedAt }: Block,
): Promise<string> {
  const asked = `getblockheader ${hash} false`
  const text = await rpc.call('getblockheader', hash, false)
  if (typeof text !== 'string' || !headerPattern.test(text)) return unbelievable('a header is not 80 bytes')
  const header = hex.decode(text)
  const recomputed = txHashOf(header)
  if (recomputed !== hash)
    throw new UntrueAnswer({
      call: asked,
      said: text,
      truth: `the hash of these ${headerBytes} bytes is ${recomputed}`,
    })
  const byHeader = 'the header, whose hash is right, says that it is'
  const parent = reversed(header.subarray(parentAt, rootAt))
  if (height > 0n && parent !== parentHash)
    throw new UntrueAnswer({
      call: `getblockheader ${hash} (block ${height})`,
      said: `that its parent is ${parentHash}`,
      truth: `${byHeader} ${parent}`,
    })
  const seconds = new DataView(header.buffer, header.byteOffset).getUint32(timeAt, true)
  if (seconds * 1000 !== minedAt.getTime())
    throw new UntrueAnswer({
      call: `getblockheader ${hash} (block ${height})`,
      said: `that it was made at ${minedAt.toISOString()}`,
      truth: `${byHeader} ${new Date(seconds * 1000).toISOString()}`,
    })
  const block = readBlock(await rpc.call('getblock', hash, 2), { hash, height })
  const call = `getblock ${hash} 2 (block ${height})`
  if (height > 0n && block.parentHash !== parent)
    throw new UntrueAnswer({
      call,
      said: `that its parent is ${block.parentHash}`,
      truth: `${byHeader} ${parent}`,
    })
  for (const transaction of block.transactions) proveTransaction(transaction, call)
  const root = rootOf(block.transactions.map(({ txid }) => hex.decode(txid).reverse()))
  const named = reversed(header.subarray(rootAt, timeAt))
  if (root !== named)
    throw new UntrueAnswer({
      call,
      said: `that it has ${block.transactions.length} transactions, whose merkle root is ${root}`,
      truth: `${byHeader} ${named}`,
    })
  return 'header, parent, merkle root, and every transaction with its amounts'
}

function proveTransaction({ txid, hex: text, vout }: NodeTransaction, call: string): void {
  const bytes = typeof text === 'string' && /^([0-9a-f]{2})+$/.test(text) ? hex.decode(text) : null
  const plain = bytes === null ? null : plainTransaction(bytes, txid)
  if (plain === null)
    throw new UntrueAnswer({
      call,
      said: `that transaction ${txid} has certain bytes`,
      truth: 'these bytes do not have this hash',
    })
  const outputs = outputsOf(
    plain,
    vout.map((_, at) => at),
  )
  for (const [at, { n, value, scriptPubKey }] of vout.entries()) {
    const real = outputs.get(at)
    const units = exactUnits(value, decimals)
    if (n !== at || real === undefined || units !== real.units)
      throw new UntrueAnswer({
        call,
        said: `that ${txid}:${at} pays ${units} units`,
        truth: `its bytes pay ${real === undefined ? 'nothing' : real.units}`,
      })
    const script = hex.encode(real.script)
    if (scriptPubKey?.hex !== script)
      throw new UntrueAnswer({
        call,
        said: `that ${txid}:${at} pays to the script ${shownText(scriptPubKey?.hex).slice(0, 200)}`,
        truth: `its bytes pay to ${script.slice(0, 200)}`,
      })
  }
}

/** The merkle root of transaction hashes: of an odd row the last is taken twice. */
function rootOf(hashes: readonly Uint8Array[]): string {
  let row: readonly Uint8Array[] = hashes
  while (row.length > 1) {
    const next: Uint8Array[] = []
    for (let at = 0; at < row.length; at += 2)
      next.push(twice(Buffer.concat([row[at] as Uint8Array, row[at + 1] ?? (row[at] as Uint8Array)])))
    row = next
  }
  return reversed(row[0] ?? new Uint8Array())
}

function twice(bytes: Uint8Array): Uint8Array {
  return digest('sha256', digest('sha256', bytes, 'buffer'), 'buffer')
}

function reversed(bytes: Uint8Array): string {
  return hex.encode(Uint8Array.from(bytes).reverse())
}
