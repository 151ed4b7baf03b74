import { type Hex, keccak256, parseTransaction, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { nodeNonceUse } from '../../../src/gates/evm/node-nonce-use.ts'
import { type NodeRpc, type RpcAnswer, type RpcCall, RpcRefusal } from '../../../src/gates/json-rpc.ts'

const account = privateKeyToAccount(`0x${'07'.repeat(32)}`)
const to = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const hashAt = (height: number) => `0x${height.toString(16).padStart(64, '0')}`
const hex = (number: bigint | number) => `0x${number.toString(16)}`
const tip = { height: 20n, hash: hashAt(20) }

/** A node with one transaction of the account, in block 10, that has state from `stateFrom` on. */
async function nodeWith(request: TransactionSerializable, stateFrom = 0, hasRaw = false) {
  const raw = await account.signTransaction(request)
  const hash = keccak256(raw)
  const transaction = await shownAs(request, raw, hash)
  const asked: string[] = []
  function answer([method, ...params]: RpcCall): unknown {
    asked.push(method)
    const [first, second] = params as [string, string | { blockHash: string }]
    switch (method) {
      case 'eth_getTransactionCount': {
        const height = typeof second === 'string' ? Number(second) : Number(BigInt(second.blockHash))
        if (height < stateFrom) throw new RpcRefusal(-32_000, 'missing trie node')
        return height >= 10 ? '0x4' : '0x3'
      }
      case 'eth_getBlockByNumber': {
        const height = Number(first)
        const block = {
          number: first,
          hash: hashAt(height),
          parentHash: hashAt(height - 1),
          timestamp: '0x1',
        }
        return { ...block, transactions: height === 10 ? [transaction] : [] }
      }
      case 'eth_getTransactionByHash':
        return first === hash ? transaction : null
      case 'eth_getRawTransactionByHash':
        if (hasRaw) return raw
    }
    throw new RpcRefusal(-32_601, `There is no ${method}.`)
  }
  const rpc: NodeRpc = {
    call: async (...call) => answer(call),
    batch: async (calls) =>
      calls.map((call): RpcAnswer => {
        try {
          return { result: answer(call) }
        } catch (error) {
          if (error instanceof RpcRefusal) return { refusal: error }
          throw error
        }
      }),
    close: () => {},
  }
  const look = (nonce: bigint, hints: readonly string[] = []) =>
    nodeNonceUse(rpc, { address: account.address, nonce, hints }, async () => tip)
  return { look, raw, hash, asked }
}

/** The transaction as nodes show it. */
async function shownAs(request: TransactionSerializable, raw: Hex, hash: Hex) {
  const { r, s, v, yParity, type, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } =
    parseTransaction(raw)
  const types: Record<string, string> = { legacy: '0x0', eip2930: '0x1', eip1559: '0x2' }
  return {
    hash,
    from: account.address.toLowerCase(),
    to: to.toLowerCase(),
    value: hex(request.value ?? 0n),
    input: request.data ?? '0x',
    nonce: hex(request.nonce ?? 0),
    blockNumber: hex(10),
    blockHash: hashAt(10),
    type: types[type ?? ''],
    gas: hex(gas ?? 0n),
    gasPrice: hex(gasPrice ?? 0n),
    ...(type !== 'legacy' && { accessList: accessList ?? [], chainId: hex(request.chainId ?? 1) }),
    ...(type === 'eip1559' && {
      maxFeePerGas: hex(maxFeePerGas ?? 0n),
      maxPriorityFeePerGas: hex(maxPriorityFeePerGas ?? 0n),
    }),
    r: hex(BigInt(r ?? 0)),
    s: hex(BigInt(s ?? 0)),
    v: hex(v ?? yParity ?? 0),
    ...(yParity !== undefined && type !== 'legacy' && { yParity: hex(yParity) }),
  }
}

const common = { chainId: 1, nonce: 3, to, value: 5n, gas: 21_000n } as const
const usual = { ...common, type: 'eip1559', maxFeePerGas: 9n, maxPriorityFeePerGas: 2n } as const
const legacy = { ...common, type: 'legacy', gasPrice: 9n } as const
const withList = { ...usual, accessList: [{ address: to, storageKeys: [] }] } as const

it.each<[string, TransactionSerializable]>([
  ['of type 2', usual],
  ['of the legacy type', legacy],
  ['with data', { ...usual, data: '0xABcd' }],
])('a transaction %s is found by the state of the blocks, with its bytes', async (_, request) => {
  const { look, raw, hash } = await nodeWith(request)
  const use = await look(3n)
  expect(use).toMatchObject({
    block: { height: 10n },
    transaction: { hash, value: 5n, to: to.toLowerCase() },
  })
  expect(Buffer.from(use?.transaction?.bytes ?? []).toString('hex')).toBe(raw.slice(2))
  expect(await look(4n)).toBeNull()
})

it('a transaction of another type is read as a whole, where the node gives it', async () => {
  const { look, raw } = await nodeWith(withList, 0, true)
  const use = await look(3n)
  expect(Buffer.from(use?.transaction?.bytes ?? []).toString('hex')).toBe(raw.slice(2))
  const { look: without } = await nodeWith(withList)
  await expect(without(3n)).rejects.toThrow(/does not give the bytes/)
})

it('a node without old state finds it among the hints, and says otherwise that it does not know', async () => {
  const { look, hash } = await nodeWith(usual, 15)
  expect(await look(3n, [hashAt(99), hash])).toMatchObject({ block: { height: 10n }, transaction: { hash } })
  expect(await look(3n, [hashAt(99)])).toEqual({
    block: { height: 15n, hash: hashAt(15) },
    transaction: null,
  })
})

it('a hint that used another nonce is not it', async () => {
  const { look, hash } = await nodeWith({ ...usual, nonce: 2 }, 15)
  expect(await look(3n, [hash])).toMatchObject({ transaction: null })
})
