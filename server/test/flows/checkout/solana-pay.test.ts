import { base58, base64 } from '@scure/base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { usualOrder } from '../../../src/domain/checkout-order.ts'
import { makePaymentTicket } from '../../../src/domain/payment-ticket.ts'
import type { Gate, GateAsset, PaymentOrder } from '../../../src/gates/gate.ts'
import { tokenPrograms } from '../../../src/gates/solana/derived-address.ts'
import { callsPerInvoice, maxGuesses } from '../../../src/http/checkout/gatekeeper.ts'
import { madeBytes, termsOf } from '../../gates/solana/payments.ts'
import { receiver } from '../../gates/solana/plans.ts'
import { accountOf, hash, inContext, usual } from '../../gates/solana/scripted-answers.ts'
import { openGate } from '../../gates/solana/spending.ts'
import { query } from '../../support/database/database.ts'
import { type ScriptedNode, startScriptedNode } from '../../support/nodes/scripted-rpc.ts'
import { newVisitor, openPage, tinyPage } from '../../support/shop/checkout-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../../support/shop/shop.ts'
import { callAsWallet, publicOrigin, ticketIn } from '../../support/shop/wallet-client.ts'

// The network is simulated but for one thing: payers' transactions come from a gate on a scripted node.
let service: TestService
let shop: Shop
let node: ScriptedNode
let opened: ReturnType<typeof openGate>
let gate: Gate
let usdc: GateAsset
const payer = receiver(120)
const rents: Readonly<Record<number, number>> = { 0: 890_880, 165: 2_039_280 }

beforeAll(async () => {
  const env = {
    ...quiet.env,
    SLUICE_TRUSTED_PROXIES: '127.0.0.1',
    SLUICE_PUBLIC_URL: publicOrigin,
  }
  service = await startTestService({
    ...quiet,
    env,
    config: { ...quiet.config, addresses: { ready: 60 } },
    page: tinyPage,
  })
  shop = await openShop(service)
  node = await startScriptedNode()
  gate = service.app.gates.find('solana-test') as Gate
  usdc = gate.assets.find(({ currency }) => currency === 'USDC') as GateAsset
  opened = openGate([node.url], { assets: gate.assets })
  Object.assign(gate, { paymentTransaction: opened.gate.paymentTransaction })
})
afterAll(async () => {
  opened?.close()
  await node?.close()
  await service?.stop()
})
beforeEach(() => hold({ lamports: 5_000_000_000, tokens: 500_000_000n }))

/** Gives the payer so much on the scripted node. */
function hold({ lamports, tokens }: { lamports: number; tokens: bigint }): void {
  const data = new Uint8Array(165)
  data.set(base58.decode(usdc.contractAddress ?? ''), 0)
  data.set(base58.decode(payer), 32)
  new DataView(data.buffer).setBigUint64(64, tokens, true)
  const accounts = [
    accountOf(new Uint8Array(), { lamports }),
    null,
    accountOf(data, { owner: tokenPrograms.token, lamports: rents[165] }),
    null,
  ]
  node.script = {
    ...usual,
    getMultipleAccounts: (addresses: string[]) => inContext(accounts.slice(0, addresses.length)),
    getLatestBlockhash: () => inContext({ blockhash: hash(77), lastValidBlockHeight: 200 }),
    getMinimumBalanceForRentExemption: (bytes: number) => rents[bytes],
    getRecentPrioritizationFees: () => [{ slot: 1, prioritizationFee: 1_000 }],
  }
}

const sol = { currency: 'SOL', amount: '0.25', description: 'Order 7: one pot' }
const token = { currency: 'USDC', network: 'solana', amount: '49.9' }
const pageOf = async (invoice: Row) =>
  openPage(invoice.checkout_url.replace(publicOrigin, service.url), { headers: newVisitor() })
/** What the payment page offers for wallets; null where it offers nothing. */
const requestOn = async (invoice: Row) =>
  (await pageOf(invoice)).state.checkout?.asset?.transaction_request ?? null

async function ticketOf(invoice: Row): Promise<string> {
  const request = await requestOn(invoice)
  expect(request?.qr).toMatchObject({ size: 37 })
  return ticketIn(request?.uri ?? '')
}

const ask = (ticket: string, account: unknown = payer) =>
  callAsWallet(service.url, 'makePaymentTransaction', ticket, { account, headers: newVisitor() })
const describeRequest = (ticket: string) =>
  callAsWallet(service.url, 'describePaymentRequest', ticket, { headers: newVisitor() })

/** Asks for a transaction, and expects a refusal that fits on every wallet’s screen. */
async function refused(ticket: string, status: number, code: string, account: unknown = payer) {
  const answer = await ask(ticket, account)
  expect([answer.status, answer.body.error.code], answer.text).toEqual([status, code])
  expect(answer.body.message.length).toBeLessThanOrEqual(80)
  return answer.body.message as string
}

async function changed(invoice: Row, statement: string, values: readonly unknown[] = []): Promise<void> {
  await query(service.database.url, `update invoices set ${statement} where id = $1`, [invoice.id, ...values])
}

describe('a wallet', () => {
  it.each([
    ['SOL', sol, 250_000_000n, 'Order 7: one pot'],
    ['tokens', token, 49_900_000n, 'Payment to Test shop'],
  ])(
    'gets the very transaction that pays the missing %s to the invoice’s address',
    async (_, asked, units, message) => {
      const invoice = await shop.create(asked)
      const { status, body } = await ask(await ticketOf(invoice))
      expect([status, body.message]).toEqual([200, message])
      const asset = gate.assets.find(({ currency }) => currency === asked.currency) as GateAsset
      const to = { address: invoice.deposit_address, tag: null }
      const order: PaymentOrder = { payer, to, asset, units, invoiceId: invoice.id }
      const bytes = base64.decode(body.transaction)
      expect(bytes).toEqual(madeBytes(await opened.gate.paymentTransaction(order)))
      expect(termsOf(bytes).blockhash).toBe(hash(77))
    },
  )

  it('pays what is missing now, not what was asked for at first', async () => {
    const invoice = await shop.create(token)
    const ticket = await ticketOf(invoice)
    await shop.pay(invoice, '40')
    await shop.mine(invoice.required_confirmations, 'solana')
    const { body } = await ask(ticket)
    const to = { address: invoice.deposit_address, tag: null }
    const order: PaymentOrder = { payer, to, asset: usdc, units: 9_900_000n, invoiceId: invoice.id }
    expect(base64.decode(body.transaction)).toEqual(madeBytes(await opened.gate.paymentTransaction(order)))
    await shop.pay(invoice, '9.9')
    expect(await refused(ticket, 409, 'conflict')).toContain('already been seen')
    await shop.mine(invoice.required_confirmations, 'solana')
    expect(await refused(ticket, 409, 'conflict')).toContain('already paid')
    expect(await requestOn(invoice)).toBeNull()
  })

  it('leaves nothing behind: the invoice and its events are as before', async () => {
    const invoice = await shop.create(sol)
    const ticket = await ticketOf(invoice)
    const before = await shop.get(invoice)
    await shop.told()
    expect((await ask(ticket)).status).toBe(200)
    expect([await shop.get(invoice), await shop.told()]).toEqual([before, []])
  })

  it('is offered nothing unless the service is reached by https and the gate can make transactions', async () => {
    const invoice = await shop.create(sol)
    const { people } = service.app
    const { url } = people
    const { paymentTransaction } = gate
    try {
      Object.assign(people, { url: () => 'http://pay.example' })
      expect(await requestOn(invoice)).toBeNull()
      Object.assign(people, { url })
      expect(await requestOn(invoice)).not.toBeNull()
      Object.assign(gate, { paymentTransaction: undefined })
      expect(await requestOn(invoice)).toBeNull()
    } finally {
      Object.assign(people, { url })
      Object.assign(gate, { paymentTransaction })
    }
    expect((await pageOf(invoice)).state.checkout?.asset?.payment_uri).toContain(
      '&label=Test%20shop&message=Order',
    )
  })

  it('is told the shop’s name, and shows its logo only where the specification allows it', async () => {
    const other = await openShop(service)
    const ticket = await ticketOf(await other.create(sol))
    const neutral = { label: 'Test shop', icon: `${publicOrigin}/checkout-assets/icon.svg` }
    expect((await describeRequest(ticket)).body).toMatchObject(neutral)
    const icon = await fetch(`${service.url}/checkout-assets/icon.svg`, { headers: newVisitor() })
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(icon.headers.get('content-security-policy')).toContain('sandbox')
    expect(await icon.text()).toMatch(/^<svg /)
    const brand = (mediaType: string) =>
      service.app.store.merchantBrands.set(other.merchantId, {
        colour: null,
        embedOrigins: [],
        logo: { mediaType, bytes: Buffer.from(mediaType) },
        order: usualOrder,
      })
    for (const mediaType of ['image/png', 'image/webp']) {
      await brand(mediaType)
      const { body } = await describeRequest(ticket)
      expect(body.icon).toMatch(/^https:\/\/pay\.example\/checkout-assets\/logo\/[0-9a-f]{64}$/)
      const logo = await fetch(body.icon.replace(publicOrigin, service.url), { headers: newVisitor() })
      expect(logo.headers.get('content-type')).toBe(mediaType)
    }
    for (const mediaType of ['image/jpeg', 'image/gif']) {
      await brand(mediaType)
      expect((await describeRequest(ticket)).body).toMatchObject(neutral)
    }
  })

  it('may be a page of any origin: preflights are answered, and other methods are not', async () => {
    const ticket = await ticketOf(await shop.create(sol))
    const url = `${service.url}/solana-pay/${ticket}`
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        ...newVisitor(),
        Origin: 'https://wallet.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    })
    expect([preflight.status, await preflight.text()]).toEqual([204, ''])
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': 'Content-Type',
    })
    expect(preflight.headers.has('access-control-allow-credentials')).toBe(false)
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await fetch(url, { method, headers: newVisitor() })).status).toBe(404)
    expect((await fetch(url, { method: 'HEAD', headers: newVisitor() })).status).toBe(200)
  })
})

describe('a payer is told in words', () => {
  it('what is missing in the wallet', async () => {
    const [coins, tokens] = [await ticketOf(await shop.create(sol)), await ticketOf(await shop.create(token))]
    hold({ lamports: 100_000_000, tokens: 12_500_000n })
    expect(await refused(coins, 422, 'insufficient_balance')).toBe(
      'Not enough SOL: 0.250895932 needed with fees, 0.1 in this wallet.',
    )
    expect(await refused(tokens, 422, 'insufficient_balance')).toBe(
      'Not enough USDC: 49.9 needed, 12.5 in this wallet.',
    )
    hold({ lamports: 1_000_000, tokens: 500_000_000n })
    expect(await refused(tokens, 422, 'insufficient_balance')).toBe(
      'Not enough SOL: 0.002935281 needed with fees, 0.001 in this wallet.',
    )
  })

  it('that an account cannot pay', async () => {
    const invoice = await shop.create(sol)
    const ticket = await ticketOf(invoice)
    const bad: unknown[] = [
      '',
      'x',
      payer.slice(1),
      `${payer} `,
      '11111111111111111111111111111111',
      tokenPrograms.token,
      usdc.contractAddress,
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      'ü'.repeat(44),
    ]
    for (const account of bad)
      expect(await refused(ticket, 400, 'validation_error', account)).toMatch(
        /not the address of a Solana wallet/,
      )
    const another = await shop.create(token)
    const hot = gate.spending.kind === 'solana' ? gate.spending.hotAddress : null
    for (const account of [invoice.deposit_address, another.deposit_address, hot])
      expect(await refused(ticket, 400, 'validation_error', account)).toMatch(/own address cannot pay/)
  })

  it('that it is too late, cancelled or not chosen yet, or that wallets cannot pay it this way', async () => {
    const [late, closing, cancelled] = [
      await shop.create(sol),
      await shop.create(sol),
      await shop.create(sol),
    ]
    const tickets = await Promise.all([late, closing, cancelled].map(ticketOf))
    await shop.expire(late)
    expect(await refused(tickets[0] ?? '', 409, 'conflict')).toContain('time to pay is over')
    await query(
      service.database.url,
      `update followed_chains set held_until = clock_timestamp() + interval '1 hour'`,
    )
    await changed(closing, `expires_at = clock_timestamp() - interval '1 second', due_at = null`)
    const said = await refused(tickets[1] ?? '', 409, 'conflict')
    await query(service.database.url, 'update followed_chains set held_until = null')
    expect(said).toContain('time to pay is over')
    await shop.cancel(cancelled)
    expect(await refused(tickets[2] ?? '', 409, 'conflict')).toContain('cancelled')
    const deferred = await shop.create({ amount_fiat: '50.00', fiat_currency: 'USD', deferred: true })
    const other = await shop.create()
    expect([await requestOn(deferred), await requestOn(other)]).toEqual([null, null])
    const made = (invoice: Row) =>
      makePaymentTicket({ id: invoice.id, link: invoice.checkout_url.split('/pay/')[1] })
    expect(await refused(made(deferred), 409, 'conflict')).toContain('Choose a currency')
    expect(await refused(made(other), 409, 'conflict')).toContain('Use the payment page')
  })

  it('that the network cannot be reached, whether the node is silent, lies or was taken offline', async () => {
    const ticket = await ticketOf(await shop.create(sol))
    node.script = { ...node.script, getLatestBlockhash: () => inContext({ blockhash: 'nonsense' }) }
    const lied = await ask(ticket)
    expect([lied.status, lied.body.error.code]).toEqual([503, 'service_unavailable'])
    expect(lied.text).not.toContain('nonsense')
    const other = await openShop(service)
    const theirs = await ticketOf(await other.create(sol))
    await other.setGate('solana', 'offline')
    const offline = await ask(theirs)
    expect([offline.status, offline.body.error.code]).toEqual([503, 'gate_offline'])
  })
})

describe('an attacker', () => {
  it('cannot make a ticket: unknown, foreign and ended ones get the same 404', async () => {
    const [mine, theirs] = [await shop.create(sol), await (await openShop(service)).create(sol)]
    const [ticket, foreign] = [await ticketOf(mine), await ticketOf(theirs)]
    const ended = await shop.create(sol)
    const endedTicket = await ticketOf(ended)
    await shop.cancel(ended)
    await changed(ended, `updated_at = clock_timestamp() - interval '31 days'`)
    const [a, b] = [Buffer.from(ticket, 'base64url'), Buffer.from(foreign, 'base64url')]
    const crossed = Buffer.concat([a.subarray(0, 16), b.subarray(16)]).toString('base64url')
    const link = mine.checkout_url.split('/pay/')[1]
    const token = (await pageOf(mine)).state.token?.token ?? ''
    const wrong = [
      'x',
      link,
      token,
      mine.id,
      crossed,
      `${ticket}A`,
      ticket.slice(1),
      endedTicket,
      '%00',
      '../x',
    ]
    // The last character has two bits that mean nothing: another spelling is another ticket.
    wrong.push(`${ticket.slice(0, -1)}${String.fromCharCode(ticket.charCodeAt(42) + 1)}`)
    const answers = await Promise.all(wrong.map((each) => ask(each)))
    const plain = answers.map(({ status, text }) => `${status} ${text.replace(/req_\w+/, '')}`)
    expect(new Set(plain).size, plain.join('\n')).toBe(1)
    expect(answers[0]?.status).toBe(404)
    expect((await ask(ticket)).status).toBe(200)
  })

  it('a client that guesses is shut out, and one invoice takes a limited number of requests', async () => {
    const ticket = await ticketOf(await shop.create(sol))
    const headers = newVisitor()
    const guess = () => callAsWallet(service.url, 'describePaymentRequest', 'A'.repeat(43), { headers })
    for (let n = 0; n <= maxGuesses; n++) expect((await guess()).status).toBe(404)
    expect((await callAsWallet(service.url, 'describePaymentRequest', ticket, { headers })).status).toBe(429)
    for (let n = 0; n < callsPerInvoice; n++) expect((await describeRequest(ticket)).status).toBe(200)
    expect((await ask(ticket)).status).toBe(429)
  })

  it('with a body that is malformed, huge or not JSON is refused, and other fields are ignored', async () => {
    const ticket = await ticketOf(await shop.create(sol))
    const send = (body: string, headers: Record<string, string> = {}) =>
      callAsWallet(service.url, 'makePaymentTransaction', ticket, {
        body,
        headers: { ...newVisitor(), ...headers },
      })
    const malformed = ['', '{', '[]', 'null', '{}', '{"account":1}', '{"account":null}', '{"account":["x"]}']
    for (const text of [...malformed, `{"account":"${payer}","account":"${payer}"}`, '{"__proto__":1}'])
      expect((await send(text)).status, text).toBe(400)
    expect((await send(JSON.stringify({ account: 'x'.repeat(1_000) }))).status).toBe(400)
    expect((await send(JSON.stringify({ account: payer, more: 'x'.repeat(65 * 1024) }))).status).toBe(413)
    expect((await send(JSON.stringify({ account: payer }), { 'Content-Type': 'text/plain' })).status).toBe(
      415,
    )
    expect(
      (await send(JSON.stringify({ account: payer, wallet: 'any', nested: { deep: [1] } }))).status,
    ).toBe(200)
  })

  it('who changed the address in the database gets no transaction to it', async () => {
    const invoice = await shop.create(sol)
    const ticket = await ticketOf(invoice)
    expect((await ask(ticket)).status).toBe(200)
    await changed(invoice, `deposit_address = $2`, [receiver(99)])
    const swapped = await ask(ticket)
    expect([swapped.status, swapped.body.error.code]).toEqual([503, 'gate_offline'])
    expect(swapped.text).not.toContain(receiver(99))
    expect(swapped.body.message).toContain('not one of this service')
    expect((await describeRequest(ticket)).status).toBe(200)
  })
})
