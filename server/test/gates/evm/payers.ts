import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hex } from '@scure/base'
import { encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { evmAddress } from '../../../src/gates/evm/address.ts'
import { hashOf, hexOf } from '../../../src/gates/evm/hex.ts'
import { signTransfer } from '../../../src/gates/evm/transaction.ts'
import type { Anvil } from '../../support/nodes/anvil.ts'
import { type Contract, compileContracts } from '../../support/nodes/solidity.ts'

export type Line = {
  readonly to: string
  /** Null for the native currency. */
  readonly contractAddress: string | null
  readonly units: bigint
}

/** Payers with native currency and tokens of their own. Each pays once, so that no payment has to wait for another. */
export type Payers = {
  /** The first of the node's own accounts, which holds all the rest of the native currency and tokens. */
  readonly rich: Hex
  /** The tokens that the payers have. */
  readonly tokens: readonly string[]
  pay(line: Line): Promise<string>
  /** Sends another transaction of the same payer with the same nonce and a higher fee. */
  replace(hash: string, line: Line): Promise<string>
  /** Sends a transaction from the rich account; it is pending when this returns. */
  send(to: string | null, data: Hex, value?: bigint): Promise<Hex>
  /** Deploys a contract and returns its address once it is mined. */
  deploy(name: string, args?: readonly unknown[]): Promise<string>
  call(name: string, functionName: string, args: readonly unknown[]): Hex
}

const supply = 10n ** 30n
const share = 10n ** 19n
const perBatch = 60
const gasLimit = 200_000n

export async function makePayers(anvil: Anvil, count: number, tokenCount: number): Promise<Payers> {
  const contracts = await compileContracts()
  const [rich] = (await anvil.ask('eth_accounts')) as [Hex]
  const keys = Array.from({ length: count }, (_, at) => hex.decode((at + 1).toString(16).padStart(64, '7')))
  const addresses = keys.map((key) => evmAddress(secp256k1.getPublicKey(key)))
  const sent = new Map<string, { key: Uint8Array; price: bigint }>()
  let next = 0

  function contract(name: string): Contract {
    const found = contracts.get(name)
    if (found === undefined) throw new Error(`There is no contract ${name}.`)
    return found
  }

  const call = (name: string, functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: contract(name).abi, functionName, args })

  async function send(to: string | null, data: Hex, value = 0n): Promise<Hex> {
    return anvil.ask('eth_sendTransaction', {
      from: rich,
      ...(to !== null && { to }),
      data,
      value: `0x${value.toString(16)}`,
      gas: '0x1000000',
    })
  }

  async function deploy(name: string, args: readonly unknown[] = []): Promise<string> {
    const { abi, bytecode } = contract(name)
    const hash = await send(null, encodeDeployData({ abi, bytecode, args }))
    await anvil.mine()
    const { contractAddress } = await anvil.ask('eth_getTransactionReceipt', hash)
    return contractAddress
  }

  async function sign(key: Uint8Array, price: bigint, { to, contractAddress, units }: Line): Promise<string> {
    const gas = { gasLimit, gasPrice: price, gasTip: price }
    const transfer = { chainId: anvil.chainId, nonce: 0n, to, contractAddress, units, ...gas }
    const bytes = signTransfer(transfer, key)
    const hash = hashOf(bytes)
    sent.set(hash, { key, price })
    await anvil.ask('eth_sendRawTransaction', hexOf(bytes))
    return hash
  }

  const batch = await deploy('BatchSender')
  const tokens: string[] = []
  for (let made = 0; made < tokenCount; made++) {
    const token = await deploy('PlainToken', [supply])
    await send(token, call('PlainToken', 'approve', [batch, supply]))
    tokens.push(token)
  }
  for (let at = 0; at < count; at += perBatch) {
    const some = addresses.slice(at, at + perBatch)
    const shares = some.map(() => share)
    await send(batch, call('BatchSender', 'sendNative', [some, shares]), share * BigInt(some.length))
    for (const token of tokens) await send(batch, call('BatchSender', 'sendTokens', [token, some, shares]))
    await anvil.mine()
  }
  return {
    rich,
    tokens,
    send,
    deploy,
    call,
    async pay(line) {
      const key = keys[next++]
      if (key === undefined) throw new Error(`All ${count} payers have paid.`)
      return sign(key, 10n, line)
    },
    async replace(hash, line) {
      const first = sent.get(hash)
      if (first === undefined) throw new Error(`No payer has sent ${hash}.`)
      return sign(first.key, first.price * 2n, line)
    },
  }
}
