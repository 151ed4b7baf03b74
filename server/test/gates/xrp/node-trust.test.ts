import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type AccountPlan, hotKey } from '../../../src/domain/spends.ts'
import { xrpKey } from '../../../src/gates/xrp/deposit-account.ts'
import { publicKeys, seed } from '../../simulator/gate/keys.ts'
import { flagBits, type Json } from '../../support/nodes/xrp-ledger.ts'
import { issuerBits, trustFlags, valueText } from '../../support/nodes/xrp-lines.ts'
import {
  issuer,
  payer,
  rippleUsd,
  testAssets,
  testFamily,
  trust,
  type XrpHarness,
  xrpHarness,
} from './harness.ts'

/**
 * What is said of payments in an issued currency before they are signed, and what a ledger then does with the signed bytes. Both must
 * agree, so nothing is paid wrongly and nothing costs a fee for nothing.
 */

const asset = testAssets().find(({ currency }) => currency === 'RLUSD')
const family = testFamily()
const ours = publicKeys.xrp
let harness: XrpHarness
let receiver: string
let count = 20

beforeAll(async () => {
  harness = await xrpHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  const { ledger } = harness.server
  receiver = payer(count++).address
  ledger.submit(
    payer(1).blobOf({
      TransactionType: 'Payment',
      Account: payer(1).address,
      Sequence: ledger.nextSequence(payer(1).address),
      Destination: receiver,
      Amount: '50000000',
    }),
  )
  harness.send({ Amount: { ...rippleUsd, value: '100' }, DestinationTag: 1 })
  await harness.mine(1)
  trust(ledger, receiver)
  await harness.mine(1)
})

const flagsOf = (address: string, flags: number) =>
  Object.assign(harness.server.ledger.account(address) ?? {}, { flags })
const lineAt = (holder: string) => {
  const { ledger } = harness.server
  const found = ledger.trust.lines.get(ledger.trust.keyOf(holder, issuer.address, rippleUsd.currency))
  if (found === undefined) throw new Error('There is no such line.')
  return found
}
/** Sets flags of a trust line, as one of its two accounts can. */
const setLine = (Account: string, other: string, flags: number, value = '0') =>
  harness.server.ledger.trust.trust(
    { Account, Flags: flags, LimitAmount: { ...rippleUsd, issuer: other, value } },
    true,
  )
const held = (holder: string) =>
  valueText(harness.server.ledger.trust.held(holder, issuer.address, rippleUsd.currency))

/** What the gate says of a payout, and what the ledger does with its bytes. */
async function payOut(units: bigint, { tag = '1', to = receiver } = {}) {
  if (asset === undefined) throw new Error('There is no RLUSD.')
  await harness.mine(1)
  const said = await harness.gate.simulateTransfer?.(ours, to, asset, units, tag)
  const { currency, contractAddress } = asset
  const plan: AccountPlan = {
    kind: 'account',
    from: { address: ours, key: hotKey },
    nonce: await harness.gate.nextNonce(ours),
    to: { address: to, tag },
    currency,
    contractAddress,
    units,
    gasLimit: 1n,
    gasPrice: 5_000n,
    payoutId: 'payout',
  }
  const signed = family.sign(plan, (path) => xrpKey(seed, path))
  const before = [held(ours), held(to)]
  expect(await harness.gate.broadcast(signed)).toBeNull()
  await harness.mine(1)
  const fate = await harness.gate.fate([{ hash: signed.hash, plan }])
  const arrived = fate.kind === 'mined' && fate.succeeded
  if (!arrived) expect([held(ours), held(to)]).toEqual(before)
  return { refused: said !== undefined && 'refused' in said ? said.refused : null, arrived }
}

it('what the gate lets through arrives, to the unit', async () => {
  const before = Number(held(ours))
  expect(await payOut(12_345_678n)).toEqual({ refused: null, arrived: true })
  expect(held(receiver)).toBe('12.345678')
  expect(Number(held(ours))).toBeCloseTo(before - 12.345678, 6)
})

it.each<[string, () => unknown, string]>([
  ['has no trust line', () => clearLine(), 'has no trust line'],
  ['trusts for less', () => setLine(receiver, issuer.address, 0, '0.5'), 'trusts the issuer for 0.5 only'],
  ['wants to authorise', () => flagsOf(receiver, flagBits.depositAuth), 'authorised'],
  ['has frozen everything', () => flagsOf(receiver, issuerBits.globalFreeze), 'has frozen its trust lines'],
  [
    'has frozen the line',
    () => setLine(receiver, issuer.address, trustFlags.freeze, '1000'),
    'the trust line of',
  ],
  [
    'is deep-frozen',
    () => setLine(issuer.address, receiver, trustFlags.freeze | trustFlags.deepFreeze),
    'the trust line of',
  ],
])(
  'a receiver that %s is not paid, and the ledger would not have paid it either',
  async (_, arrange, words) => {
    arrange()
    expect(await payOut(1_000_000n)).toEqual({ refused: expect.stringContaining(words), arrived: false })
  },
)

it('a receiver whose line the issuer has frozen can still be paid: it cannot pay others', async () => {
  setLine(issuer.address, receiver, trustFlags.freeze)
  expect(await payOut(1_000_000n)).toEqual({ refused: null, arrived: true })
})

it.each<[string, () => unknown, () => unknown, string]>([
  [
    'freezes everything',
    () => flagsOf(issuer.address, issuerBits.defaultRipple | issuerBits.globalFreeze),
    () => flagsOf(issuer.address, issuerBits.defaultRipple),
    'has frozen all of its currencies',
  ],
  [
    'has not authorised the receiver',
    () => {
      flagsOf(issuer.address, issuerBits.defaultRipple | issuerBits.requireAuth)
      setLine(issuer.address, ours, trustFlags.auth)
    },
    () => flagsOf(issuer.address, issuerBits.defaultRipple),
    'has not authorised',
  ],
  [
    'charges for transfers',
    () => Object.assign(harness.server.ledger.account(issuer.address) ?? {}, { transferRate: 1_002_000_000 }),
    () => Object.assign(harness.server.ledger.account(issuer.address) ?? {}, { transferRate: 0 }),
    'charges a fee for transfers',
  ],
  [
    'freezes our line',
    () => setLine(issuer.address, ours, trustFlags.freeze),
    () => Object.assign(lineAt(ours), { flags: lineAt(ours).flags & ~0x00c00000 }),
    'our trust line is frozen',
  ],
  [
    'lets nothing pass between holders',
    () => {
      setLine(issuer.address, ours, trustFlags.noRipple)
      setLine(issuer.address, receiver, trustFlags.noRipple)
    },
    () => Object.assign(lineAt(ours), { flags: lineAt(ours).flags & ~0x00300000 }),
    'NoRipple',
  ],
])(
  'while the issuer %s, nothing is paid, and the ledger would not have paid either',
  async (_, arrange, undo, words) => {
    arrange()
    try {
      expect(await payOut(1_000_000n)).toEqual({ refused: expect.stringContaining(words), arrived: false })
    } finally {
      undo()
    }
    expect(await payOut(1_000_000n)).toEqual({ refused: null, arrived: true })
  },
)

it('more than we hold, more digits than the ledger keeps, and a receiver that does not exist are refused', async () => {
  if (asset === undefined) throw new Error('There is no RLUSD.')
  expect(await payOut(10n ** 15n)).toEqual({ refused: expect.stringContaining('holds only'), arrived: false })
  expect(await harness.gate.simulateTransfer?.(ours, receiver, asset, 10n ** 16n + 1n, '1')).toEqual({
    refused: expect.stringContaining('digits'),
  })
  expect(await payOut(1n, { to: payer(9).address })).toEqual({
    refused: expect.stringContaining('does not exist'),
    arrived: false,
  })
})

it('our trust line is made by the bytes of its plan, once the account can hold the reserve', async () => {
  const fresh = await xrpHarness()
  try {
    if (asset === undefined) throw new Error('There is no RLUSD.')
    const { ledger } = fresh.server
    const lines = ledger.trust.lines as Map<string, Json>
    lines.delete(ledger.trust.keyOf(ours, issuer.address, rippleUsd.currency))
    const account = ledger.account(ours)
    if (account === undefined) throw new Error('We have no account.')
    Object.assign(account, { balance: 1_100_000n })
    await fresh.mine(1)
    expect(await fresh.gate.canHold?.(asset)).toBe(false)
    const ask = () => fresh.gate.simulateTransfer?.(ours, issuer.address, asset, 0n)
    expect(await ask()).toEqual({ refused: expect.stringContaining('1200000 drops') })
    Object.assign(account, { balance: 1_300_000n })
    const issuing = ledger.account(issuer.address)
    if (issuing === undefined) throw new Error('There is no issuer.')
    Object.assign(issuing, { flags: 0x20000000 })
    await fresh.mine(1)
    expect(await ask()).toEqual({ refused: expect.stringContaining('accepts no trust lines') })
    Object.assign(issuing, { flags: issuerBits.defaultRipple })
    await fresh.mine(1)
    expect(await ask()).toEqual({ gas: 1n, isExact: true })
    const { currency, contractAddress } = asset
    const signed = family.sign(
      {
        kind: 'account',
        from: { address: ours, key: hotKey },
        nonce: await fresh.gate.nextNonce(ours),
        to: { address: issuer.address, tag: null },
        currency,
        contractAddress,
        units: 0n,
        gasLimit: 1n,
        gasPrice: 5_000n,
        payoutId: null,
      },
      (path) => xrpKey(seed, path),
    )
    expect(await fresh.gate.broadcast(signed)).toBeNull()
    await fresh.mine(1)
    expect(await fresh.gate.canHold?.(asset)).toBe(true)
    expect(account.owned).toBe(1)
    fresh.send({ Amount: { ...rippleUsd, value: '2' }, DestinationTag: 1 })
  } finally {
    await fresh.close()
  }
})

function clearLine(): void {
  const { ledger } = harness.server
  const lines = ledger.trust.lines as Map<string, Json>
  lines.delete(ledger.trust.keyOf(receiver, issuer.address, rippleUsd.currency))
}
