import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pageState, pages, tether, usdc } from '../../../web/checkout/test/fixtures.ts'
import { type StandIn, startStandIn } from '../../../web/checkout/test/stand-in-service.ts'
import { expectAccessible, onLightPhone } from '../support/browser/both-looks.ts'
import { openBrowser } from '../support/browser/browser.ts'

let service: StandIn
let browser: Browser
let page: Page
let complaints: string[]

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  service = await startStandIn(pages.pay)
  page = await browser.newPage()
  await onLightPhone(page)
  complaints = []
  page.on('pageerror', (error) => complaints.push(error.message))
})
afterEach(async () => {
  await page.close()
  await service.close()
  expect(complaints).toEqual([])
})

/** Opens the page and waits until its script follows the invoice. */
async function open(state = pages.pay): Promise<void> {
  service.show(state)
  await page.goto(`${service.url}/pay/q8Zr0bJ2mK4n`)
  await expect.poll(() => service.followers()).toBe(1)
}

describe('a wallet in the browser', () => {
  const wallet = (fails = '{}') => `
    window.asked = []
    const provider = { async request({ method, params }) {
      window.asked.push({ method, params })
      const fails = ${fails}
      if (method in fails) throw await fails[method]
      return method === 'eth_requestAccounts' ? ['0x1111111111111111111111111111111111111111'] : method === 'eth_chainId' ? '0x1' : '0x'
    } }
    const detail = Object.freeze({ info: { uuid: '1', name: 'Fox', icon: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', rdns: 'fox' }, provider })
    addEventListener('eip6963:requestProvider', () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })))`
  const sent = () => page.evaluate(`window.asked.filter(({ method }) => method === 'eth_sendTransaction')`)

  it('is asked for exactly the right transaction, once, and the page does not call it paid', async () => {
    await page.addInitScript(wallet())
    await open(pages.pay_token)
    await page.getByRole('button', { name: 'Pay with Fox' }).dblclick()
    await page.getByText('Sent from your wallet. It shows here as soon as the network has seen it.').waitFor()
    await expectAccessible(page)
    const from = '0x1111111111111111111111111111111111111111'
    const { to, value, data } = tether.wallet_transaction ?? {}
    expect(await sent()).toEqual([{ method: 'eth_sendTransaction', params: [{ from, to, value, data }] }])
    expect(await page.getByRole('button', { name: 'Pay with Fox' }).count()).toBe(0)
    await page.getByRole('heading', { name: 'Waiting for your payment' }).waitFor()
  })

  it('can decline without harm', async () => {
    await page.addInitScript(wallet('{ eth_sendTransaction: { code: 4001 } }'))
    await open(pages.pay_token)
    await page.getByRole('button', { name: 'Pay with Fox' }).click()
    await page.getByText('Nothing was sent').waitFor()
    await expectAccessible(page)
    expect(await page.getByRole('button', { name: 'Pay with Fox' }).isEnabled()).toBe(true)
  })

  it('shows the token on request, and is asked for nothing else', async () => {
    await page.addInitScript(wallet())
    await open(pages.pay_token)
    await page.getByRole('button', { name: 'Show USDT in Fox' }).click()
    await page.getByText('Your wallet has not added USDT').waitFor()
    await expectAccessible(page)
    const asked = (await page.evaluate('window.asked')) as { method: string; params: unknown }[]
    expect(asked.map(({ method }) => method)).toEqual(['eth_chainId', 'wallet_watchAsset'])
    const { address, symbol, decimals } = tether.wallet_transaction?.token ?? {}
    expect(asked.at(-1)?.params).toEqual({ type: 'ERC20', options: { address, symbol, decimals } })
    expect(await page.getByRole('button', { name: 'Pay with Fox' }).isEnabled()).toBe(true)
  })

  it('that has yet to answer is waited for, and its buttons rest', async () => {
    await page.addInitScript(wallet('{ eth_sendTransaction: new Promise(() => {}) }'))
    await open(pages.pay_token)
    await page.getByRole('button', { name: 'Pay with Fox' }).click()
    await page.getByText('Confirm in your wallet.').waitFor()
    expect(await page.getByRole('button', { name: 'Pay with Fox' }).isDisabled()).toBe(true)
    await expectAccessible(page)
  })

  it('is asked for nothing before the payer presses a button', async () => {
    await page.addInitScript(wallet())
    await open(pages.pay_token)
    await page.getByRole('button', { name: 'Pay with Fox' }).waitFor()
    expect(await page.evaluate('window.asked')).toEqual([])
  })

  it('is not offered for an asset that it cannot send', async () => {
    await page.addInitScript(wallet())
    await open(pages.pay)
    expect(await page.getByRole('button', { name: 'Pay with' }).count()).toBe(0)
  })
})

describe('a Solana wallet in the browser', () => {
  const wallet = (chain = 'solana:mainnet') => `
    window.asked = []
    const account = { address: 'PayerPayerPayer', publicKey: new Uint8Array(32), chains: ['${chain}'], features: [] }
    const ghost = { version: '1.0.0', name: 'Ghost', icon: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', chains: ['${chain}'], accounts: [], features: {
      'standard:connect': { version: '1.0.0', connect: async () => { window.asked.push('connect'); return { accounts: [account] } } },
      'solana:signAndSendTransaction': { version: '1.0.0', supportedTransactionVersions: ['legacy'], async signAndSendTransaction({ account, chain, transaction }) {
        window.asked.push({ account: account.address, chain, transaction: [...transaction] })
        return [{ signature: new Uint8Array(64) }]
      } },
    } }
    const register = ({ register }) => register(ghost)
    addEventListener('wallet-standard:app-ready', ({ detail }) => register(detail))
    dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))`
  const pay = () => page.getByRole('button', { name: 'Pay with Ghost' })
  const made = () => service.asked.filter(({ call }) => call.includes('/solana-pay/'))
  const ticket = usdc.transaction_request?.uri.split('/').at(-1)

  it('gets the service’s transaction for its account, byte for byte, and the page does not call it paid', async () => {
    await page.addInitScript(wallet())
    service.transaction = Buffer.from([1, 0, 255, 128]).toString('base64')
    await open(pages.pay_request)
    await pay().waitFor()
    expect(await page.evaluate('window.asked')).toEqual([])
    await pay().dblclick()
    await page.getByText('Sent from your wallet').waitFor()
    expect(await page.evaluate('window.asked')).toEqual([
      'connect',
      { account: 'PayerPayerPayer', chain: 'solana:mainnet', transaction: [1, 0, 255, 128] },
    ])
    // The ticket is enough; the page's token stays out of it.
    expect(made()).toEqual([
      { call: `POST /solana-pay/${ticket}`, authorization: '', body: '{"account":"PayerPayerPayer"}' },
    ])
    await page.getByRole('heading', { name: 'Waiting for your payment' }).waitFor()
    expect(await pay().count()).toBe(0)
  })

  it('is told that its account holds too little, and is asked to sign nothing', async () => {
    await page.addInitScript(wallet())
    await open(pages.pay_request)
    service.refuse = { status: 422, code: 'insufficient_balance', only: 'no call of the page itself' }
    await pay().click()
    await page.getByText('This account of your wallet holds too little').waitFor()
    await expectAccessible(page)
    expect(await page.evaluate('window.asked')).toEqual(['connect'])
    expect(await pay().isEnabled()).toBe(true)
  })

  it('is not offered on another chain', async () => {
    await page.addInitScript(wallet('solana:devnet'))
    await open(pages.pay_request)
    expect(await pay().count()).toBe(0)
  })

  it('is not offered where the chain has no name', async () => {
    await page.addInitScript(wallet())
    const request = usdc.transaction_request
    const unnamed = { ...usdc, transaction_request: request === null ? null : { ...request, chain: null } }
    await open(pageState({ asset: unnamed }))
    expect(await pay().count()).toBe(0)
  })
})
