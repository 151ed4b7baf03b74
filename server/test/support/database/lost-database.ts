import { copyFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect } from 'vitest'
import { exactUnits } from '../../../src/gates/bitcoin/exact-json.ts'
import { walletPath } from '../../../src/signer/wallet-file.ts'
import type { CoinNode } from '../nodes/coin-node.ts'
import { type NodeShop, openNodeShop } from '../nodes/node-shop.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../processes/temporary-folder.ts'
import { gateOf, untilSent } from '../shop/money-out.ts'

/** The deepest reorganisation allowed. */
export const depth = 10
export const passphrase = 'correct horse battery'

export const ltc = (amount: string) => ({ currency: 'LTC', network: 'litecoin', amount })

/** A database that had payments and payouts, and is lost; its wallet is not. */
export type LostDatabase = {
  /** The data folder with the wallet. */
  readonly folder: string
  /** The addresses that were given to payers, in order. */
  readonly given: readonly string[]
  /** The total at all of its addresses in the end. */
  readonly units: bigint
  /** The destinations of its payouts. */
  readonly destination: string
  depositAt(index: number): string
  changeAt(index: number): string
  /** What the node itself finds at the first addresses of the wallet, on both chains. */
  unspentAt(shop: Pick<NodeShop, 'cli'>): Promise<bigint>
  makeFolder(): Promise<string>
  /** The options with which a shop on the same node is opened. */
  inShop(folder: string): Parameters<typeof openNodeShop>[1]
  /** The service on an empty database with the same wallet, but without the journal of the old one. */
  openAnew(): Promise<NodeShop>
  /** Removes the folders. */
  clear(): Promise<void>
}

/** When it is lost, one payout is pending in the mempool, and one payment is not deep enough. */
export async function loseDatabase(node: CoinNode): Promise<LostDatabase> {
  const folders: TemporaryFolder[] = []
  async function makeFolder(): Promise<string> {
    const made = await makeTemporaryFolder()
    folders.push(made)
    return made.path
  }
  const inShop = (folder: string) => ({
    node,
    env: { SLUICE_DATA_DIR: folder, SLUICE_WALLET_PASSPHRASE: passphrase },
    config: { chains: { max_reorganisation_depth: depth } },
  })
  const folder = await makeFolder()
  const first = await openNodeShop(node.coin, inShop(folder))
  const { spending, depositAddress } = gateOf(first.service, 'litecoin')
  if (spending.kind !== 'coins') throw new Error('Litecoin has coins.')
  const { changeAddress: changeAt } = spending
  const depositAt = (index: number) => depositAddress(index)?.address ?? ''

  // Derived once: that takes longer than everything else here.
  const places = Array.from({ length: 60 }, (_, index) => [depositAt(index), changeAt(index)])
    .flat()
    .map((place) => `addr(${place})`)

  async function unspentAt({ cli }: Pick<NodeShop, 'cli'>): Promise<bigint> {
    const found = await cli('scantxoutset', 'start', JSON.stringify(places))
    return exactUnits(/"total_amount": ([0-9.]+)/.exec(found)?.[1], 8) as bigint
  }

  const { given, destination } = await makeBusiness(first)
  await expect.poll(() => node.ask('getrawmempool')).toHaveLength(1)
  const units = await unspentAt(first)
  await first.close()
  return {
    folder,
    given,
    units,
    destination,
    depositAt,
    changeAt,
    unspentAt,
    makeFolder,
    inShop,
    async openAnew() {
      const another = await makeFolder()
      await mkdir(dirname(walletPath(another, 'test')), { mode: 0o700 })
      await copyFile(walletPath(folder, 'test'), walletPath(another, 'test'))
      return openNodeShop(node.coin, inShop(another))
    },
    async clear() {
      for (const each of folders) await each.remove()
    },
  }
}

async function makeBusiness({ shop, service, cli, mine, untilPaidOut }: NodeShop) {
  const given: string[] = []
  for (const amount of ['1.5', '0.75', '2']) {
    const { deposit_address: address } = await shop.create(ltc(amount))
    given.push(address)
    await cli('sendtoaddress', address, amount)
  }
  // These addresses are never paid; a later one is, twice.
  for (let nth = 0; nth < 3; nth++) given.push((await shop.create(ltc('1'))).deposit_address)
  const fixed = await shop.createAddress({ currency: 'LTC', network: 'litecoin' })
  given.push(fixed.address)
  for (const amount of ['0.11111111', '0.22222222']) await cli('sendtoaddress', fixed.address, amount)
  await mine(2)
  const destination = await cli('getnewaddress', '', 'bech32')
  const send = async (amount: string) => {
    const payout = await shop.payOut({ ...ltc(amount), destination })
    expect((await shop.approve(payout)).status).toBe(200)
    return payout
  }
  for (const amount of ['0.4', '0.3']) await untilPaidOut(await send(amount))
  await mine(depth + 2)
  const { deposit_address: shallow } = await shop.create(ltc('0.05'))
  given.push(shallow)
  await cli('sendtoaddress', shallow, '0.05')
  await mine(1)
  await untilSent(service, await send('0.2'))
  return { given, destination }
}
