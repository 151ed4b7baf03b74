import { afterAll, beforeAll, expect, it } from 'vitest'
import { GateOutageError, nativeOf, WrongChainError } from '../../../src/gates/gate.ts'
import { publicKeys } from '../../simulator/gate/keys.ts'
import { type Fault, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { flagBits, type Json } from '../../support/nodes/xrp-ledger.ts'
import { openXrpGate, payer, stranger, type XrpHarness, xrpHarness } from './harness.ts'

const xrp = 1_000_000n
let harness: XrpHarness
beforeAll(async () => {
  harness = await xrpHarness()
})
afterAll(() => harness.close())

const watched = () => harness.watch([])
const height = async () => (await harness.gate.tip()).height

/** The server's answers to one method, changed. */
const answering =
  (method: string, change: (result: Json) => Json): Fault =>
  async ({ methods, ask }) => {
    const text = await ask()
    return methods.includes(method) ? JSON.stringify({ result: change(JSON.parse(text).result) }) : text
  }

/** Does something while the server answers differently. */
async function during(fault: Fault, act: () => Promise<void>): Promise<void> {
  harness.proxy.fault = fault
  try {
    await act()
  } finally {
    harness.proxy.fault = null
  }
}

it.each([
  ['is not in sync', { state: 'connected' }, 'not in sync'],
  ['has an old ledger', { age: 300 }, '300 seconds old'],
  ['does not know the network’s rules', { amendmentBlocked: true }, 'amendment blocked'],
])('a server that %s is an outage', async (_, wrong, words) => {
  const usual = { ...harness.server.state }
  Object.assign(harness.server.state, wrong)
  await harness.restart()
  await expect(harness.gate.tip()).rejects.toThrow(words)
  Object.assign(harness.server.state, usual)
  expect(await height()).toBeGreaterThan(0n)
})

it('a server of another network is refused by name, and one that names none is of the main network', async () => {
  const usual = harness.server.state.networkId
  for (const networkId of [2, undefined]) {
    harness.server.state.networkId = networkId
    await harness.restart()
    await expect(harness.gate.checkChain()).rejects.toThrow(WrongChainError)
    await expect(harness.gate.checkChain()).rejects.toThrow(`on network ${networkId ?? 0}`)
    await expect(harness.gate.tip()).rejects.toThrow(WrongChainError)
  }
  harness.server.state.networkId = usual
  await harness.gate.checkChain()
  expect(harness.gate.chain).toBe('xrp 1')
})

it.each([
  ['tooBusy', 9],
  ['slowDown', 10],
])('a server that is %s gets fewer requests, and its next answer counts', async (error, error_code) => {
  let refusals = 2
  const fault: Fault = async ({ ask }) =>
    refusals-- > 0 ? JSON.stringify({ result: { error, error_code, status: 'error' } }) : ask()
  await during(fault, async () => expect(await height()).toBeGreaterThan(0n))
})

it('a ledger that the server does not have is an outage that says which it has, and is never passed over', async () => {
  await harness.mine(4)
  const gone = (await height()) - 2n
  const { oldest } = harness.server.state
  harness.server.state.oldest = Number(gone) + 1
  await harness.restart()
  await expect(harness.gate.block(gone, watched())).rejects.toThrow(
    `does not have ledger ${gone}; it has ${gone + 1n}-${gone + 2n}`,
  )
  harness.server.state.oldest = oldest
  expect(await harness.gate.block(gone, watched())).toMatchObject({ height: gone })
})

it.each([
  ['is not validated', (result: Json) => ({ ...result, validated: false })],
  ['has another number', (result: Json) => ({ ...result, ledger: { ...result.ledger, ledger_index: '5' } })],
  ['has no hash', (result: Json) => ({ ...result, ledger: { ...result.ledger, ledger_hash: '' } })],
  ['has no list', (result: Json) => ({ ...result, ledger: { ...result.ledger, transactions: 'none' } })],
])('a ledger that %s is not believed', async (_, change) => {
  const at = await height()
  await during(answering('ledger', change), () =>
    expect(harness.gate.block(at, watched())).rejects.toThrow(GateOutageError),
  )
})

it('a proposed payment is pending, and not in any block while no validated ledger has it', async () => {
  const from = await height()
  const hash = harness.send({ Amount: String(3n * xrp), DestinationTag: 7 })
  // A lying server adds what only a validated ledger can have.
  const forged = answering('ledger', (result) => ({
    ...result,
    ledger: {
      ...result.ledger,
      transactions: result.ledger.transactions?.map((each: Json) => ({
        ...each,
        metaData: { TransactionResult: 'tesSUCCESS', delivered_amount: String(900n * xrp) },
      })),
    },
  }))
  await during(forged, async () => {
    expect(await harness.gate.pending(watched())).toMatchObject([{ txHash: hash, units: 3n * xrp }])
    expect(await harness.gate.block(from + 1n, watched())).toBeNull()
  })
  await harness.mine(1)
  expect((await harness.gate.block(from + 1n, watched()))?.transfers).toMatchObject([{ units: 3n * xrp }])
})

it('several servers must agree on what arrived before anything is credited', async () => {
  harness.send({ Amount: String(2n * xrp), DestinationTag: 8 })
  await harness.mine(1)
  const liar = await startFaultProxy(harness.server.url)
  const both = openXrpGate([harness.server.url, liar.url], { agreement: 2 })
  const at = (await both.gate.tip()).height
  expect((await both.gate.block(at, watched()))?.transfers).toHaveLength(1)
  liar.fault = answering('ledger', (result) => ({
    ...result,
    ledger: { ...result.ledger, transactions: [] },
  }))
  await expect(both.gate.block(at, watched())).rejects.toThrow('do not agree')
  both.close()
  await liar.close()
})

it('the fee is that of the open ledger, within the operator’s bounds, and the reason is given when it is too dear', async () => {
  const { fees } = harness.server.state
  for (const [open, expected] of [
    [5n, 10n],
    [300n, 300n],
    [10n ** 6n, 10_000n],
  ] as const) {
    harness.server.state.fees = { open, least: 10n }
    expect(await harness.gate.feeRate()).toBe(expected)
    expect(await harness.gate.tooDear?.()).toBeNull()
  }
  harness.server.state.fees = { open: 10n ** 6n, least: 20_000n }
  expect(await harness.gate.tooDear?.()).toMatch(/at least 20000 drops .* at most 10000/)
  harness.server.state.fees = fees
})

it('a payment that the ledger would refuse is recognised before anything is sent', async () => {
  const asset = nativeOf(harness.gate.assets)
  const simulate = (to: string, units: bigint, tag: string | null = '1') =>
    harness.gate.simulateTransfer?.(publicKeys.xrp, to, asset, units, tag)
  const refused = (words: string) => ({ refused: expect.stringContaining(words) })
  const nobody = payer(9).address
  expect(await simulate(stranger, xrp)).toEqual({ gas: 1n, isExact: true })
  expect(await simulate(nobody, xrp)).toEqual({ gas: 1n, isExact: true })
  expect(await simulate(nobody, xrp - 1n)).toEqual(refused('does not exist'))
  expect(await simulate(stranger, 10n ** 15n)).toEqual(refused('reserve'))
  const account = harness.server.ledger.account(stranger)
  if (account === undefined) throw new Error('There is no stranger.')
  account.flags = flagBits.requireDest
  await harness.mine(1)
  expect(await simulate(stranger, xrp)).toEqual({ gas: 1n, isExact: true })
  expect(await simulate(stranger, xrp, null)).toEqual(refused('destination tag'))
  account.flags = flagBits.depositAuth
  await harness.mine(1)
  expect(await simulate(stranger, xrp)).toEqual(refused('authorised'))
  account.flags = 0
  await harness.mine(1)
})

it('a payment that the ledger executed without effect cost its fee, and nothing arrived', async () => {
  const purse = await harness.purse()
  const nobody = { address: payer(9).address, tag: '1' }
  const { signed, plan } = purse.sign({ to: nobody, units: xrp - 1n })
  const before = await harness.gate.nativeBalance?.(publicKeys.xrp)
  expect(await harness.gate.broadcast(signed)).toBeNull()
  await harness.mine(1)
  expect(await harness.gate.fate([{ hash: signed.hash, plan }])).toMatchObject({
    kind: 'mined',
    succeeded: false,
    feeUnits: 10n,
  })
  expect((before ?? 0n) - ((await harness.gate.nativeBalance?.(publicKeys.xrp)) ?? 0n)).toBe(10n)
})

it('a transaction whose rival is older than the server’s ledgers is ruled out by the oldest that shows it', async () => {
  const purse = await harness.purse()
  const [first, second] = [1n, 2n].map((feeTimes) =>
    purse.sign({ to: harness.stranger, units: xrp, feeTimes }),
  )
  if (first === undefined || second === undefined) throw new Error('two were signed')
  await harness.gate.broadcast(first.signed)
  await harness.mine(6)
  const { oldest } = harness.server.state
  harness.server.state.oldest = Number(await height()) - 2
  const fate = await harness.gate.fate([{ hash: second.signed.hash, plan: second.plan }])
  expect(fate).toMatchObject({ kind: 'ruled_out', reason: expect.stringContaining('or before') })
  harness.server.state.oldest = oldest
})

it('a transaction that a server remembers, but no longer has, is sent again', async () => {
  const purse = await harness.purse()
  const { signed, plan } = purse.sign({ to: harness.stranger, units: xrp })
  const remembering: Fault = async ({ body, methods, ask }) =>
    methods.includes('tx') && body.params[0].transaction === signed.hash
      ? JSON.stringify({ result: { hash: signed.hash, validated: false, status: 'success' } })
      : ask()
  await during(remembering, async () =>
    expect(await harness.gate.fate([{ hash: signed.hash, plan }])).toEqual({ kind: 'unknown' }),
  )
})

it('an account that does not exist yet has sent and holds nothing', async () => {
  const { address } = payer(7)
  expect(await harness.gate.nextNonce(address)).toBe(0n)
  expect(await harness.gate.nativeBalance?.(address)).toBe(0n)
})
