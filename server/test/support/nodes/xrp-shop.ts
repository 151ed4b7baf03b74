import { expect } from 'vitest'
import { issuer, payer, rippleUsd, trust } from '../../gates/xrp/harness.ts'
import { query } from '../database/database.ts'
import { eventually } from '../servers/hook-receiver.ts'
import { tinyPage } from '../shop/checkout-client.ts'
import { gateOf, payOutTo } from '../shop/money-out.ts'
import { startTestService, type TestService } from '../shop/service.ts'
import { openShop, quiet, type Shop } from '../shop/shop.ts'
import { type Waits, waitsOf } from './waits.ts'
import { hashOfBlob, type Json, type XrpLedger, xrpLedger } from './xrp-ledger.ts'
import { amountOf, issuerBits } from './xrp-lines.ts'
import { startXrpServer } from './xrp-server.ts'

const closeEveryMs = 250
const issuedDecimals = 6

/** The service on a server of the XRP Ledger that closes ledgers by itself, and a merchant. Our account does not exist yet. */
export type XrpShop = Waits & {
  readonly ledger: XrpLedger
  readonly service: TestService
  readonly shop: Shop
  /** Our one account. */
  readonly account: string
  /** An account that is not ours, and one that does not exist. */
  readonly receiver: string
  readonly nobody: string
  /** Pays our account with a tag; returns the hash. */
  pay(tag: string | null, units: bigint): string
  /** The same in RLUSD, of which the fields can make something else. Our account must trust the issuer. */
  payIssued(tag: string | null, value: string, more?: Json): string
  payOut(amount: string, tag: string, destination?: string, currency?: string): Promise<{ id: string }>
  /** Returns once our account trusts the issuer of RLUSD, by a transaction of ours. */
  untilTrusted(): Promise<void>
  /** Returns once a payout waits for a reason with these words. */
  untilWaiting(payout: { id: string }, words: string): Promise<void>
  untilSuspense(units: bigint, currency?: string): Promise<void>
  /** Does `act` when a transaction of ours is submitted, before a ledger closes with it. */
  betweenSentAndClosed(start: () => Promise<void>, act: () => void): Promise<void>
  balanceOf(address: string): bigint
  heldOnLedger(): bigint
  heldInBooks(): Promise<bigint>
  /** The same of RLUSD, in millionths. */
  issuedOnLedger(holder?: string): bigint
  issuedInBooks(): Promise<bigint>
  close(): Promise<void>
}

export async function openXrpShop(): Promise<XrpShop> {
  const [rich, other, nobody] = [payer(1), payer(2), payer(3)]
  const ledger = xrpLedger({
    [rich.address]: 10n ** 15n,
    [other.address]: 10n ** 8n,
    [issuer.address]: 10n ** 8n,
  })
  Object.assign(ledger.account(issuer.address) ?? {}, { flags: issuerBits.defaultRipple })
  for (const holder of [rich.address, other.address]) trust(ledger, holder)
  ledger.trust.pay({
    Account: issuer.address,
    Destination: rich.address,
    Amount: { ...rippleUsd, value: '1000000' },
  })
  const server = await startXrpServer(ledger)
  const tokens = [
    { code: 'RLUSD', contract: `${rippleUsd.currency}.${rippleUsd.issuer}`, decimals: issuedDecimals },
  ]
  const common = { network: 'xrp', environment: 'test', kind: 'xrp', poll_seconds: 1 }
  const gates = [{ ...common, rpc_url: server.url, tokens }]
  const service = await startTestService({
    ...quiet,
    config: { ...quiet.config, gates },
    page: tinyPage,
  }).catch(async (error) => {
    await server.close()
    throw error
  })
  await eventually(() => expect(service.app.gates.isOnline('xrp-test')).toBe(true))
  const shop = await openShop(service)
  const account = gateOf(service, 'xrp').depositAddress(0)?.address ?? ''
  const closing = setInterval(() => {
    ledger.closeLedgers(1)
  }, closeEveryMs)
  const balanceOf = (address: string) => ledger.closed.at(-1)?.accounts.get(address)?.balance ?? 0n

  async function held(kind: 'chain' | 'suspense', currency = 'XRP'): Promise<bigint> {
    const [row] = await query(
      service.database.url,
      `select coalesce(sum(balance_units), 0)::text as units from ledger_accounts
       where kind = $1 and network = 'xrp' and currency = $2`,
      [kind, currency],
    )
    return BigInt(row?.units)
  }

  const tagged = (tag: string | null) => (tag === null ? {} : { DestinationTag: Number(tag) })

  function send(fields: Json): string {
    const blob = rich.blobOf({
      TransactionType: 'Payment',
      Account: rich.address,
      Sequence: ledger.nextSequence(rich.address),
      Destination: account,
      ...fields,
    })
    expect(ledger.submit(blob)).toBe('tesSUCCESS')
    return hashOfBlob(blob)
  }

  function issuedOnLedger(holder = account): bigint {
    const ledgers = amountOf('0.000001')
    return ledger.trust.held(holder, issuer.address, rippleUsd.currency) / ledgers
  }

  return {
    ...waitsOf(service, shop),
    ledger,
    service,
    shop,
    account,
    receiver: other.address,
    nobody: nobody.address,
    balanceOf,
    pay: (tag, units) => send({ Amount: String(units), ...tagged(tag) }),
    payIssued: (tag, value, more = {}) => send({ Amount: { ...rippleUsd, value }, ...tagged(tag), ...more }),
    payOut: (amount, tag, destination = other.address, currency = 'XRP') =>
      payOutTo(shop, 'xrp', { currency, amount, destination, destination_tag: tag }),
    async untilTrusted() {
      const ours = ledger.trust.keyOf(account, issuer.address, rippleUsd.currency)
      await expect.poll(() => ledger.closed.at(-1)?.lines.has(ours)).toBe(true)
    },
    async untilWaiting(payout, words) {
      await expect.poll(async () => (await shop.payout(payout)).waiting_reason).toContain(words)
    },
    async untilSuspense(units, currency) {
      await expect.poll(() => held('suspense', currency)).toBe(units)
    },
    async betweenSentAndClosed(start, act) {
      const { submit } = ledger
      const ours = () =>
        [...ledger.open(), ...ledger.queueOf(account)].some(({ tx }) => tx.Account === account)
      let isSent = false
      // Without a pause: a gate whose ledger stands still is offline after a while, and sends nothing.
      ledger.submit = (blob) => {
        const result = submit(blob)
        if (!isSent && ours()) {
          isSent = true
          act()
        }
        return result
      }
      try {
        await start()
        await expect.poll(() => isSent).toBe(true)
      } finally {
        ledger.submit = submit
      }
    },
    heldOnLedger: () => balanceOf(account),
    heldInBooks: async () => -(await held('chain')),
    issuedOnLedger,
    issuedInBooks: async () => -(await held('chain', 'RLUSD')),
    async close() {
      clearInterval(closing)
      await service.stop()
      await server.close()
    },
  }
}
