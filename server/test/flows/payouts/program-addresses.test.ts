import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { GateOutageError, hotAddressOf } from '../../../src/gates/gate.ts'
import { associatedTokenAccount, nonceAccount } from '../../../src/gates/solana/derived-address.ts'
import { query } from '../../support/database/database.ts'
import { enrolTotp, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import {
  arrivals,
  expectCleanBooks,
  gateOf,
  newAddress,
  payOutTo,
  until,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

/** Destinations on Solana that only look like wallets. */

let service: TestService
let shop: Shop
let mint: string
/** Off the curve, as a multisig wallet's vault is. */
let vault: string
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
  await shop.fund('10', 'SOL', 'solana')
  await shop.fund('100', 'USDC', 'solana')
  const usdc = gateOf(service, 'solana').assets.find(({ currency }) => currency === 'USDC')
  mint = usdc?.contractAddress ?? ''
  vault = associatedTokenAccount(await newAddress('solana'), 'token', mint)
})
afterEach(() => expectCleanBooks(service))
afterAll(() => service.stop())

const body = (destination: string, more: object = {}) => ({
  currency: 'SOL',
  network: 'solana',
  amount: '0.1',
  destination,
  ...more,
})
const allowed = { allow_program_address: true }

async function refusal(json: object, operation: 'createPayout' | 'createRefund' = 'createPayout') {
  const answer = await shop.call(operation, { json })
  expect([answer.status, answer.body.error?.code], answer.text).toEqual([422, 'invalid_destination'])
  return answer.body.error.details as string[]
}

it('an address that a program controls is refused, and the refusal says how to allow it', async () => {
  expect(await refusal(body(vault))).toEqual([
    expect.stringMatching(/^\/destination: is controlled by a program .* allow_program_address/),
    '/allow_program_address: must be true to pay an address that a program controls',
  ])
  expect(await refusal(body(vault, { allow_program_address: false }))).toHaveLength(2)
})

it.each(['SOL', 'USDC'])('with consent it is paid in %s, and the payout shows that', async (currency) => {
  const payout = await payOutTo(shop, 'solana', { ...body(vault, allowed), currency, amount: '2' })
  expect(payout).toMatchObject({ destination: vault, allow_program_address: true })
  const done = await until(shop, payout, 'completed')
  expect(done).toMatchObject({ allow_program_address: true })
  expect((await arrivals(service, 'solana', vault)).map(({ hash }) => hash)).toContain(done.tx_hash)
  await expect(
    query(service.database.url, 'update payouts set allow_program_address = false where id = $1', [
      payout.id,
    ]),
  ).rejects.toThrow('cannot be made another')
})

it('consent that is not needed is not kept', async () => {
  const payout = await shop.payOut(body(await newAddress('solana'), allowed))
  expect(payout).toMatchObject({ allow_program_address: false })
})

it('no consent makes mints, programs and our own accounts a destination', async () => {
  const hot = hotAddressOf(gateOf(service, 'solana')) ?? ''
  for (const [address, why] of [
    [mint, 'is the mint of a token'],
    ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'is a program'],
    [nonceAccount(hot, 3), 'is an account of this service'],
    [associatedTokenAccount(hot, 'token', mint), 'is an account of this service'],
    [hot, 'is an address of this service'],
  ] as const)
    expect(await refusal(body(address, allowed))).toEqual([
      expect.stringMatching(new RegExp(`^/destination: ${why}`)),
    ])
})

it('a refund needs the same consent', async () => {
  const invoice = await shop.create({ currency: 'SOL', network: 'solana', amount: '1' })
  await shop.pay(invoice, '1')
  await shop.mine(32, 'solana')
  const json = { ...body(vault), invoice_id: invoice.id }
  expect(await refusal(json, 'createRefund')).toHaveLength(2)
  const made = await shop.expect(201, 'createRefund', { json: { ...json, ...allowed } })
  expect(made.body.data).toMatchObject({ destination: vault, allow_program_address: true })
})

it('what the chain has at an address can refuse it, and a node that does not answer does not', async () => {
  const gate = gateOf(service, 'solana')
  const account = await newAddress('solana')
  const fault = 'it is a token account, not a wallet. Use the address of its owner, X'
  Object.assign(gate, {
    async destinationFault(address: string) {
      if (address !== account) throw new GateOutageError('The node does not answer.')
      return fault
    },
  })
  expect(await refusal(body(account))).toEqual([`/destination: cannot be paid: ${fault}`])
  await shop.payOut(body(await newAddress('solana')))
  Object.assign(gate, { destinationFault: undefined })
})

it('a known destination is added with consent, its payout warns the approver, and it can be removed', async () => {
  const person = await makePerson(service, { merchantId: shop.merchantId, role: 'owner' })
  const client = await signedIn(service, person)
  await enrolTotp(client)
  const path = { merchantID: shop.merchantId, environment: 'test' }
  const place = { network: 'solana', address: vault }
  const refused = await client.call('addDestination', { path, body: place })
  expect([refused.status, refused.body.error?.code], refused.text).toEqual([400, 'validation_error'])
  expect(refused.body.error.details).toEqual([
    expect.stringMatching(/^\/address: is controlled by a program/),
    expect.stringMatching(/^\/allow_program_address: /),
  ])
  const added = await client.call('addDestination', { path, body: { ...place, ...allowed } })
  expect(added.status, added.text).toBe(201)
  const payout = await shop.payOut(body(vault, allowed))
  const review = await client.call('getPayoutApproval', { path: { ...path, payoutID: payout.id } })
  expect(review.body.data.warnings).toContainEqual(
    expect.objectContaining({ code: 'destination_program', values: { destination: vault } }),
  )
  const removed = await client.call('removeDestination', { path, body: place })
  expect(removed.status, removed.text).toBe(200)
})
