import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addressGranter } from '../../../src/signer/grant-addresses.ts'
import { query } from '../../support/database/database.ts'
import { type Desk, openDesk } from '../../support/signer/signer-desk.ts'

let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

it('a signer grants no addresses of a keychain that has one that is not the wallet’s', async () => {
  const place = (network: string, index: number) => ({
    address: desk.wallet.addressAt(network, { chain: 'deposit', index }) ?? '',
    tag: null,
    proof: null,
  })
  const { depositAddresses, addressGrants } = desk.app.store
  await depositAddresses.add('evm-test', 0, [place('ethereum', 0), place('ethereum', 1)])
  await depositAddresses.add('litecoin-test', 0, [place('litecoin', 0)])
  await depositAddresses.add('solana-test', 0, [place('solana', 0)])
  await query(
    desk.url,
    `insert into deposit_addresses (keychain, position, address) values ('evm-test', 2, '0xThief')`,
  )
  const errors: object[] = []
  let nowMs = 0
  const granter = addressGranter(desk.wallet, {
    makeStamp: randomUUID,
    log: { warn: () => {}, info: () => {}, error: (fields: object) => errors.push(fields) } as never,
    now: () => nowMs,
  })
  const mayGive = async () =>
    Promise.all(['evm-test', 'litecoin-test', 'solana-test'].map((id) => addressGrants.mayGive(id)))
  await granter.grant(desk.app.store, desk.journal())
  expect(await mayGive()).toEqual([false, true, true])
  expect(errors).toEqual([{ keychain: 'evm-test', reason: expect.stringContaining('0xThief') }])

  await desk.forge('deposit_addresses', `delete from deposit_addresses where address = '0xThief'`)
  nowMs += 61_000
  await granter.grant(desk.app.store, desk.journal())
  expect(await mayGive()).toEqual([true, true, true])
})
