import { expect } from 'vitest'
import { payer } from '../../gates/xrp/harness.ts'
import { query } from '../database/database.ts'
import { eventually } from '../servers/hook-receiver.ts'
import { tinyPage } from '../shop/checkout-client.ts'
import { gateOf, payOutTo } from '../shop/money-out.ts'
import { startTestService, type TestService } from '../shop/service.ts'
import { openShop, quiet, type Shop } from '../shop/shop.ts'
import { type Waits, waitsOf } from './waits.ts'
import { hashOfBlob, type XrpLedger, xrpLedger } from './xrp-ledger.ts'
import { startXrpServer } from './xrp-server.ts'

const closeEveryMs = 250

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
  payOut(amount: string, tag: string, destination?: string): Promise<{ id: string }>
  /** Returns once a payout waits for a reason with these words. */
  untilWaiting(payout: { id: string }, words: string): Promise<void>
  untilSuspense(units: bigint): Promise<void>
  /** Lets no ledger close until a transaction of ours is submitted and `act` is done. */
  betweenSentAndClosed(start: () => Promise<void>, act: () => void): Promise<void>
  balanceOf(address: string): bigint
  heldOnLedger(): bigint
  heldInBooks(): Promise<bigint>
  close(): Promise<void>
}

export async function openXrpShop(): Promise<XrpShop> {
  const [rich, other, nobody] = [payer(1), payer(2), payer(3)]
  const ledger = xrpLedger({ [rich.address]: 10n ** 15n, [other.address]: 10n ** 8n })
  const server = await startXrpServer(ledger)
  const gates = [{ network: 'xrp', environment: 'test', kind: 'xrp', rpc_url: server.url, poll_seconds: 1 }]
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
  let isPaused = false
  const closing = setInterval(() => {
    if (!isPaused) ledger.closeLedgers(1)
  }, closeEveryMs)
  const balanceOf = (address: string) => ledger.closed.at(-1)?.accounts.get(address)?.balance ?? 0n

  async function held(kind: 'chain' | 'suspense'): Promise<bigint> {
    const [row] = await query(
      service.database.url,
      `select coalesce(sum(balance_units), 0)::text as units from ledger_accounts
       where kind = $1 and network = 'xrp' and currency = 'XRP'`,
      [kind],
    )
    return BigInt(row?.units)
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
    pay(tag, units) {
      const blob = rich.blobOf({
        TransactionType: 'Payment',
        Account: rich.address,
        Sequence: ledger.nextSequence(rich.address),
        Destination: account,
        Amount: String(units),
        ...(tag !== null && { DestinationTag: Number(tag) }),
      })
      expect(ledger.submit(blob)).toBe('tesSUCCESS')
      return hashOfBlob(blob)
    },
    payOut: (amount, tag, destination = other.address) =>
      payOutTo(shop, 'xrp', { currency: 'XRP', amount, destination, destination_tag: tag }),
    async untilWaiting(payout, words) {
      await expect.poll(async () => (await shop.payout(payout)).waiting_reason).toContain(words)
    },
    async untilSuspense(units) {
      await expect.poll(() => held('suspense')).toBe(units)
    },
    async betweenSentAndClosed(start, act) {
      isPaused = true
      try {
        await start()
        const ours = () =>
          [...ledger.open(), ...ledger.queueOf(account)].some(({ tx }) => tx.Account === account)
        await expect.poll(ours).toBe(true)
        act()
      } finally {
        isPaused = false
      }
    },
    heldOnLedger: () => balanceOf(account),
    heldInBooks: async () => -(await held('chain')),
    async close() {
      clearInterval(closing)
      await service.stop()
      await server.close()
    },
  }
}
