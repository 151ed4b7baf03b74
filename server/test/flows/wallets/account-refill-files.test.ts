import { type Hex, parseTransaction, serializeTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { prepareAccountRefill } from '../../../src/app/spends/cold/prepare-account-refill.ts'
import { writeAccountRefill } from '../../../src/app/spends/cold/write-account-refill.ts'
import { accountRefillFile, isAccountRefillFile } from '../../../src/cli/wallet-account-refill.ts'
import { query } from '../../support/database/database.ts'
import { forge } from '../../support/database/forge.ts'
import {
  by,
  type Changes,
  type ColdDesk,
  openColdDesk,
  operator,
  signWith,
} from '../../support/shop/account-refills.ts'
import { expectCleanBooks } from '../../support/shop/money-out.ts'

let desk: ColdDesk
// One desk for all tests: filling a cold wallet takes a while.
beforeEach(async () => {
  desk ??= await openColdDesk()
})
afterEach(() => expectCleanBooks(desk.service))
afterAll(() => desk?.service.stop())

type Prepared = Awaited<ReturnType<ColdDesk['prepare']>>
const stranger = privateKeyToAccount(`0x${'5a'.repeat(32)}`)
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other of the two signatures that ECDSA allows for the same message (EIP-2 forbids it). */
async function withHighS(refill: Prepared): Promise<Hex> {
  const { r, s, yParity, ...request } = parseTransaction(await desk.sign(refill))
  const high = `0x${(order - BigInt(s ?? '0x0')).toString(16).padStart(64, '0')}` as Hex
  const signature = { r: r ?? '0x', s: high, yParity: yParity === 0 ? 1 : 0 }
  return serializeTransaction(request as Parameters<typeof serializeTransaction>[0], signature)
}

const tokenCall = (to: string, units: bigint) =>
  `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, '0')}${units.toString(16).padStart(64, '0')}`

const signed =
  (changes: (refill: Prepared) => Changes) =>
  (refill: Prepared): Promise<Hex> =>
    desk.sign(refill, changes(refill))

it.each<[name: string, message: RegExp, file: (refill: Prepared) => Promise<string | Uint8Array> | string]>([
  [
    'pays someone else',
    /pays 0x[0-9a-fA-F]{40}, not your hot wallet .* DO NOT SEND/,
    signed(() => ({ data: tokenCall(stranger.address, 7_000_000n) })),
  ],
  [
    'moves another amount',
    /moves 7000001 units, not 7000000/,
    signed(({ hotAddress }) => ({ data: tokenCall(hotAddress, 7_000_001n) })),
  ],
  [
    'moves another token',
    /moves the token at 0x.*, not the token at 0x/,
    signed(() => ({ to: stranger.address })),
  ],
  [
    'moves native currency instead',
    /moves native currency, not the token/,
    signed(({ hotAddress }) => ({ to: hotAddress, data: '0x', value: 7_000_000n })),
  ],
  ['sends native currency along', /not a plain transfer/, signed(() => ({ value: 1n }))],
  ['calls something else', /not a signed EIP-1559/, signed(() => ({ data: '0xdeadbeef' }))],
  [
    'has data after its call',
    /not a plain transfer/,
    signed(({ transaction }) => ({ data: `${transaction.data}00` })),
  ],
  ['creates a contract', /not a signed EIP-1559/, signed(() => ({ to: undefined }))],
  ['is for another chain', /for chain 5, and there is no such network/, signed(() => ({ chainId: 5 }))],
  ['has another nonce', /Its nonce is 99, not \d+/, signed(() => ({ nonce: 99 }))],
  [
    'is of the legacy type',
    /legacy transaction \(type 0\)/,
    signed(() => ({
      type: 'legacy',
      gasPrice: 10n ** 9n,
      maxFeePerGas: undefined,
      maxPriorityFeePerGas: undefined,
    })),
  ],
  [
    'has an access list',
    /not a signed EIP-1559/,
    signed(() => ({ accessList: [{ address: stranger.address, storageKeys: [] }] })),
  ],
  [
    'costs more than is allowed',
    /may cost .* ETH, and signer.max_fee allows/,
    signed(() => ({ maxFeePerGas: 10n ** 15n })),
  ],
  [
    'is signed by another key',
    /signed by 0x.*, not by your cold wallet/,
    ({ unsigned }) => signWith(stranger, unsigned),
  ],
  ['has the other signature', /signature is invalid/, withHighS],
  ['has bytes after its end', /not a signed EIP-1559/, async (refill) => `${await desk.sign(refill)}00`],
  ['is cut off', /not a signed EIP-1559/, async (refill) => (await desk.sign(refill)).slice(0, -2)],
  ['is not signed', /not signed yet/, (refill) => refill.unsigned],
  ['is the file that was written', /not signed yet/, (refill) => accountRefillFile(refill)],
  ['is something else', /holds no signed transaction/, () => '{"hello": 1}'],
  ['is no JSON', /holds no signed transaction/, () => '{"raw": '],
  ['is huge', /far more than a signed transfer takes/, () => '0x'.padEnd(70_000, 'ab')],
])('a file that %s is refused with a next step, and nothing is written', async (_, message, file) => {
  const refill = await openRefill()
  const before = await desk.rows()
  const given = await file(refill)
  await expect(desk.submit(given)).rejects.toThrow(message)
  await expect(desk.submit(given)).rejects.toThrow(/npx sluice wallet refill/)
  expect(await desk.rows()).toEqual(before)
})

let open: Prepared | null = null
/** One refill for all tests that change nothing. */
async function openRefill(): Promise<Prepared> {
  open ??= await desk.prepare('7', 'USDT')
  return open
}

it('the file has what wallets need, in two forms that say the same', async () => {
  const refill = await openRefill()
  const { from, gas, type, chainId, nonce, ...rest } = refill.transaction
  const parsed = parseTransaction(refill.unsigned as Hex)
  expect(from).toBe(operator.address)
  expect(type).toBe('0x2')
  expect(parsed).toMatchObject({
    gas: BigInt(gas ?? 0),
    chainId: Number(chainId),
    maxFeePerGas: BigInt(rest.maxFeePerGas ?? 0),
    maxPriorityFeePerGas: BigInt(rest.maxPriorityFeePerGas ?? 0),
    data: rest.data,
    to: rest.to?.toLowerCase(),
  })
  expect(BigInt(nonce ?? -1)).toBe(refill.nonce)
  expect(JSON.parse(accountRefillFile(refill))).toMatchObject({
    refill: refill.id,
    amount: '7 USDT',
    transaction: refill.transaction,
    unsigned: refill.unsigned,
  })
  expect(await writeAccountRefill(desk.service.app, refill.id)).toEqual(refill)
})

it('a second refill waits for the first, and one that was given up is worth nothing until it is mined', async () => {
  const first = await openRefill()
  await expect(desk.prepare('1')).rejects.toThrow(/is not done yet.*give-up/)
  await desk.giveUp(first.id)
  open = null
  const file = await desk.sign(first)
  await expect(desk.submit(file)).rejects.toThrow(/is dead. Prepare another one/)
  await expect(writeAccountRefill(desk.service.app, first.id)).rejects.toThrow(/is dead/)
  const second = await desk.prepare('8', 'USDT')
  expect(second.nonce).toBe(first.nonce)
  await expect(desk.submit(file)).rejects.toThrow(/moves 7000000 units, not 8000000/)
  await desk.giveUp(second.id)
})

it.each<[name: string, message: RegExp, change: string]>([
  ['the receiver', /DO NOT SIGN IT/, `jsonb_set(plan, '{to,address}', '"${stranger.address}"')`],
  ['the sender', /DO NOT SIGN IT/, `jsonb_set(plan, '{from,address}', '"${stranger.address}"')`],
  ['the token', /DO NOT SIGN IT/, `jsonb_set(plan, '{contractAddress}', '"${stranger.address}"')`],
  [
    'the fee',
    /more than signer.max_fee allows. DO NOT SIGN IT/,
    `jsonb_set(plan, '{gasPrice}', '"${10n ** 20n}"')`,
  ],
])(
  'if someone has changed %s of a refill in the database, its file is not written',
  async (_, message, change) => {
    const refill = await desk.prepare('9', 'USDT')
    const { url } = desk.service.database
    const [was] = await query(url, 'select plan::text from spend_transactions where spend_id = $1', [
      refill.id,
    ])
    const rewrite = (plan: string, ...values: unknown[]) =>
      forge(url, 'spend_transactions', `update spend_transactions set plan = ${plan} where spend_id = $1`, [
        refill.id,
        ...values,
      ])
    await rewrite(change)
    await expect(writeAccountRefill(desk.service.app, refill.id)).rejects.toThrow(message)
    await rewrite('$2::jsonb', was?.plan)
    await desk.giveUp(refill.id)
  },
)

it.each<[name: string, file: (raw: Hex) => string | Uint8Array]>([
  ['text', (raw) => ` ${raw.slice(2).toUpperCase()}\r\n`],
  ['bytes', (raw) => Buffer.from(raw.slice(2), 'hex')],
  ['the answer of eth_signTransaction', (raw) => JSON.stringify({ id: 1, result: { raw, tx: {} } })],
  ['web3.js', (raw) => JSON.stringify({ rawTransaction: raw, v: '0x0' })],
])('a signed transaction is taken as %s', async (_, file) => {
  const refill = await desk.prepare('1', 'USDT')
  const given = file(await desk.sign(refill))
  expect(isAccountRefillFile(Buffer.from(given))).toBe(true)
  expect(await desk.submit(given)).toMatchObject({ id: refill.id, refusal: null })
  await expect(desk.giveUp(refill.id)).rejects.toThrow(/was handed in.*nonce/)
  await desk.ended(refill.id, 'final')
})

it('amounts that are none or not there, and networks without refills, are refused', async () => {
  const prepare = (gateId: string, amount: string, currency?: string) =>
    prepareAccountRefill(desk.service.app, { gateId, amount, by, ...(currency && { currency }) })
  await expect(desk.prepare('-1')).rejects.toThrow(/no amount of ETH/)
  await expect(desk.prepare('0')).rejects.toThrow(/no amount of ETH/)
  await expect(desk.prepare('1e3')).rejects.toThrow(/no amount of ETH/)
  await expect(desk.prepare('0.0000001', 'USDT')).rejects.toThrow(/no amount of USDT/)
  await expect(desk.prepare('1', 'DOGE')).rejects.toThrow(/has no DOGE. It has: /)
  await expect(desk.prepare('1000000', 'USDT')).rejects.toThrow(
    /By the books, .* has \d+\.?\d* USDT, less than/,
  )
  await expect(desk.prepare('1', 'USDC')).rejects.toThrow(/has 0 USDC, less than 1/)
  await expect(prepare('polygon-test', '1')).rejects.toThrow(/has no cold wallet/)
  await expect(prepare('xrp-test', '1')).rejects.toThrow(/no cold wallets on XRP/)
  await expect(prepare('solana-test', '1')).rejects.toThrow(/no cold wallets on Solana/)
  await expect(prepare('nothing-test', '1')).rejects.toThrow(/no gate nothing-test/)
  // All that is there leaves nothing for the fee.
  const all = await desk.chains.balance('ethereum-test', operator.address, 'ETH')
  const held = -(await desk.held('cold', 'ETH'))
  expect(all).toBe(held)
  await expect(
    desk.prepare(`${held / 10n ** 18n}.${(held % 10n ** 18n).toString().padStart(18, '0')}`),
  ).rejects.toThrow(/on the chain, and this refill may take/)
  const left = await query(
    desk.service.database.url,
    `select from spends where kind = 'refill' and status = 'open'`,
  )
  expect(left).toEqual([])
})
