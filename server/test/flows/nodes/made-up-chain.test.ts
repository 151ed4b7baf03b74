import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { payoutView } from '../../../src/http/resources/payouts/view.ts'
import { openWallet } from '../../../src/signer/wallet.ts'
import { currenciesWithOrbit, networksWithOrbit, orbit } from '../../support/nodes/made-up-chain.ts'
import { call } from '../../support/shop/contract-client.ts'
import { until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet } from '../../support/shop/shop.ts'
import { type Desk, deskWords, elsewhere, openDesk } from '../../support/signer/signer-desk.ts'

describe('a service with one more network record', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ ...quiet, networks: networksWithOrbit })
  })
  afterAll(() => service.stop())

  it('lists its native currency, and its token among those of other networks', async () => {
    const { body } = await call(service.url, 'listCurrencies', { query: { environment: 'live' } })
    const find = (code: string) => body.data.find((currency: { code: string }) => currency.code === code)
    expect(find('ORB')).toEqual({
      code: 'ORB',
      name: 'Orb',
      kind: 'native',
      environments: ['live'],
      default_network: 'orbit',
      networks: [
        {
          network: 'orbit',
          name: 'Orbit',
          environment: 'live',
          gate_id: 'orbit-live',
          decimals: 18,
          contract_address: null,
          required_confirmations: 4,
          min_amount: '0.01',
          tag: null,
          status: 'offline',
        },
      ],
    })
    expect(find('USDT').networks.map(({ network }: { network: string }) => network)).toEqual([
      'ethereum',
      'solana',
      'avalanche',
      'bsc',
      'orbit',
      'polygon',
    ])
  })

  it('accepts its native currency at the sandbox’s price, and pays it out', async () => {
    const shop = await openShop(service)
    const invoice = await shop.create({ currency: 'ORB', amount_fiat: '10.00', fiat_currency: 'USD' })
    expect(invoice).toMatchObject({ network: 'orbit', amount: '2', required_confirmations: 4 })
    expect(invoice.payment_uri).toContain(`@${orbit.test.chainId}?`)
    await shop.pay(invoice, '2')
    await shop.mine(4, 'orbit')
    expect(await shop.get(invoice)).toMatchObject({ status: 'paid' })
    const payout = await shop.payOut({ currency: 'ORB', amount: '1', destination: elsewhere.ethereum })
    expect((await shop.approve(payout)).status).toBe(200)
    expect(await until(shop, payout, 'completed')).toMatchObject({ amount: '1', failure_reason: null })
    expect(await auditBooks(service.app)).toEqual({ ok: true, differences: [] })
  })
})

describe('the signer on a network of one more record', () => {
  let desk: Desk
  beforeEach(async () => {
    const wallet = await openWallet(deskWords, 'test', currenciesWithOrbit)
    desk = await openDesk({ wallet, assets: currenciesWithOrbit })
  })
  afterEach(() => desk.close())

  // The record's maximum fee is 0.01 of the native currency.
  const gasLimit = 100_000n
  const highestPrice = 10n ** 11n

  async function planned(gasPrice: bigint): Promise<string> {
    const payout = await desk.payout({
      network: 'orbit',
      currency: 'ORB',
      destination: elsewhere.ethereum,
      networkFeeUnits: 10n ** 17n,
    })
    const plan = { ...desk.transferPlan(payout, 0n), gasLimit, gasPrice }
    return desk.plan(plan, [payout], { gateId: 'orbit-test' })
  }

  it('signs a payout at the record’s maximum fee', async () => {
    const spendId = await planned(highestPrice)
    expect(await desk.sign()).toBe(1)
    expect((await desk.outcome(spendId)).hash).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('refuses a payout above it', async () => {
    const spendId = await planned(highestPrice + 1n)
    expect(await desk.sign()).toBe(0)
    expect(await desk.outcome(spendId)).toEqual({
      hash: null,
      refusal: 'The network fee is higher than the signer allows for one transaction.',
    })
  })

  it('links its transactions to the record’s explorer', async () => {
    const payout = await desk.payout({ network: 'orbit', currency: 'ORB', destination: elsewhere.ethereum })
    const live = { ...payout, environment: 'live' as const, txHash: '0xab' }
    expect(payoutView(currenciesWithOrbit, live).explorer_url).toBe('https://orbit.example/tx/0xab')
  })
})
