import {
  type Address,
  createWalletClient,
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { hotAddressOf } from '../../../src/gates/gate.ts'
import { query } from '../database/database.ts'
import { eventually } from '../servers/hook-receiver.ts'
import { tinyPage } from '../shop/checkout-client.ts'
import { gateOf, hurry } from '../shop/money-out.ts'
import { fewNetworks } from '../shop/registry.ts'
import { startTestService, type TestService } from '../shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../shop/shop.ts'
import { type Anvil, anvilKey, startAnvil } from './anvil.ts'
import { type Contract, compileContracts } from './solidity.ts'

const gateId = 'ethereum-test'
const supply = 10n ** 15n
const decimals = 6
// Enough for anything a test sends, including what fails before its gas could be estimated.
const gas = 2_000_000n

type Call = { readonly contract: string; readonly at: Address; readonly value?: bigint }

/** The service with Ethereum on a real node, a payer with ETH and tokens, and a merchant. */
export type EvmShop = {
  readonly anvil: Anvil
  readonly service: TestService
  readonly shop: Shop
  readonly payer: Address
  /** The confirmations that a payment needs. */
  readonly confirmations: number
  /** The contracts of the tokens, by code. */
  readonly tokens: Readonly<Record<string, Address>>
  /** Deploys a contract and mines it. */
  deploy(name: string, ...args: readonly unknown[]): Promise<Address>
  /** Calls a contract from the payer's account; returns the hash of the transaction, which waits for a block. */
  send(call: Call, name: string, ...args: readonly unknown[]): Promise<Hex>
  /** Sends ETH or data from the payer's account, to an address or to none. */
  sendNative(to: Address | null, value: bigint, data?: Hex): Promise<Hex>
  /** The call data for a function of a contract. */
  encode(contract: string, name: string, ...args: readonly unknown[]): Hex
  /** The data that deploys a contract. */
  creationOf(name: string, ...args: readonly unknown[]): Hex
  /** Mines, and returns once everything that results is visible. */
  mine(count?: number): Promise<void>
  settle(): Promise<void>
  /** Sends the operator's own ETH to the hot wallet and mines until it is confirmed. */
  fillFloat(units: bigint): Promise<Address>
  /** Mines until an approved payout has the expected status. */
  untilPaidOut(payout: { id: string }, status?: string): Promise<Awaited<ReturnType<Shop['payout']>>>
  /** Mines if anything waits for blocks, and makes every open spend due for a check. */
  moveOn(): Promise<void>
  /** Repeats that until no transaction of ours is in progress. */
  untilQuiet(): Promise<void>
  /** The node's balance of an address, in ETH or a token. */
  heldAt(address: string, token?: Address): Promise<bigint>
  /** The node's total for all our addresses. */
  heldOnChain(currency: string): Promise<bigint>
  /** The ledger's total. */
  heldInBooks(currency: string): Promise<bigint>
  close(): Promise<void>
}

export type EvmShopOptions = {
  /** The node; a plain anvil by default. */
  readonly node?: Promise<Anvil>
  readonly gate?: object
  readonly config?: object
}

/** `listed` names the contract of each token by its code. */
export async function openEvmShop(
  listed: Readonly<Record<string, string>>,
  options: EvmShopOptions = {},
): Promise<EvmShop> {
  const [anvil, contracts] = await Promise.all([options.node ?? startAnvil(), compileContracts()])
  try {
    return await openOn(anvil, contracts, listed, options)
  } catch (error) {
    await anvil.close()
    throw error
  }
}

async function openOn(
  anvil: Anvil,
  contracts: ReadonlyMap<string, Contract>,
  listed: Readonly<Record<string, string>>,
  options: EvmShopOptions,
): Promise<EvmShop> {
  const confirmations = 2
  const account = privateKeyToAccount(anvilKey)
  const chain = defineChain({
    id: anvil.chainId,
    name: 'anvil',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [anvil.url] } },
  })
  const wallet = createWalletClient({ account, chain, transport: http(anvil.url) })

  function contractOf(name: string): Contract {
    const contract = contracts.get(name)
    if (contract === undefined) throw new Error(`There is no contract ${name}.`)
    return contract
  }

  const encode: EvmShop['encode'] = (contract, functionName, ...args) =>
    encodeFunctionData({ abi: contractOf(contract).abi, functionName, args })

  const creationOf: EvmShop['creationOf'] = (name, ...args) =>
    encodeDeployData({ ...contractOf(name), args: [...args] })

  const sendNative: EvmShop['sendNative'] = (to, value, data) =>
    wallet.sendTransaction({ to, value, gas, ...(data !== undefined && { data }) })

  async function deploy(name: string, ...args: readonly unknown[]): Promise<Address> {
    const hash = await sendNative(null, 0n, creationOf(name, ...args))
    await anvil.mine()
    return (await anvil.ask('eth_getTransactionReceipt', hash)).contractAddress
  }

  const tokens: Record<string, Address> = {}
  for (const [code, name] of Object.entries(listed)) tokens[code] = await deploy(name, supply)
  const gate = {
    network: 'ethereum',
    environment: 'test',
    kind: 'evm',
    rpc_url: anvil.url,
    chain_id: anvil.chainId,
    confirmations,
    poll_seconds: 1,
    tokens: Object.entries(tokens).map(([code, contract]) => ({ code, contract, decimals })),
    ...options.gate,
  }
  const service = await startTestService({
    ...quiet,
    networks: fewNetworks,
    config: { ...quiet.config, ...options.config, gates: [gate] },
    page: tinyPage,
  })
  await eventually(() => expect(service.app.gates.isOnline(gateId)).toBe(true))
  const shop = await openShop(service)

  async function mine(count = 1): Promise<void> {
    await anvil.mine(count)
    await settle(service, gateId)
  }

  function questionOf(address: string, token?: Address): readonly [string, ...unknown[]] {
    if (token === undefined) return ['eth_getBalance', address, 'latest']
    return ['eth_call', { to: token, data: encode('PlainToken', 'balanceOf', address) }, 'latest']
  }

  const openSpends = () =>
    query(
      service.database.url,
      `select spends.id, tx_hash as hash from spends left join spend_transactions on spend_id = spends.id where status = 'open'`,
    )

  /** Whether anything waits for a block, or a transaction of ours is mined but not deep enough yet. */
  async function isMoving(): Promise<boolean> {
    if (BigInt((await anvil.ask('txpool_status')).pending) > 0n) return true
    const hashes = (await openSpends()).flatMap(({ hash }) => (hash === null ? [] : [`${hash}`]))
    if (hashes.length === 0) return false
    const receipts = await anvil.askMany(hashes.map((hash) => ['eth_getTransactionReceipt', hash] as const))
    return receipts.some((receipt) => receipt !== null)
  }

  async function moveOn(): Promise<void> {
    if (await isMoving()) await mine(confirmations)
    await hurry(service)
  }

  return {
    anvil,
    service,
    shop,
    confirmations,
    tokens,
    payer: account.address,
    deploy,
    encode,
    creationOf,
    sendNative,
    mine,
    heldAt: async (address, token) => BigInt(await anvil.ask(...questionOf(address, token))),
    send: ({ contract, at, value = 0n }, name, ...args) =>
      sendNative(at, value, encode(contract, name, ...args)),
    settle: () => settle(service, gateId),
    async fillFloat(units) {
      const hot = hotAddressOf(gateOf(service, 'ethereum')) as Address
      await sendNative(hot, units)
      await mine(confirmations)
      return hot
    },
    async untilPaidOut(payout, status = 'completed') {
      await expect
        .poll(
          async () => {
            const now = await shop.payout(payout)
            if (now.status !== status) await moveOn()
            return now.status
          },
          { interval: 50 },
        )
        .toBe(status)
      return shop.payout(payout)
    },
    moveOn,
    async untilQuiet() {
      await expect
        .poll(
          async () => {
            await moveOn()
            return openSpends()
          },
          { interval: 50 },
        )
        .toEqual([])
    },
    async heldOnChain(currency) {
      const rows = await query(
        service.database.url,
        'select address from deposit_addresses where keychain = $1',
        [gateOf(service, 'ethereum').keychain],
      )
      const hot = hotAddressOf(gateOf(service, 'ethereum')) as Address
      const own = [...rows.map(({ address }) => address as string), hot]
      const held = await anvil.askMany(own.map((address) => questionOf(address, tokens[currency])))
      return held.reduce((sum: bigint, units: string) => sum + BigInt(units), 0n)
    },
    async heldInBooks(currency) {
      const [row] = await query(
        service.database.url,
        `select coalesce(sum(-balance_units), 0)::text as units from ledger_accounts
         where kind = 'chain' and network = 'ethereum' and currency = $1`,
        [currency],
      )
      return BigInt(row?.units)
    },
    async close() {
      await service.stop()
      await anvil.giveBack()
    },
  }
}
