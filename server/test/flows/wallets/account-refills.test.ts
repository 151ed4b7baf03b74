import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listCold } from '../../../src/app/spends/cold/list-cold.ts'
import { writeAccountRefill } from '../../../src/app/spends/cold/write-account-refill.ts'
import { parseDecimal } from '../../../src/domain/money.ts'
import { GateOutageError } from '../../../src/gates/gate.ts'
import { query } from '../../support/database/database.ts'
import { by, type ColdDesk, openColdDesk, operator } from '../../support/shop/account-refills.ts'
import { setHalt } from '../../support/shop/halt.ts'
import { expectCleanBooks, payOutTo, until, untilSettled } from '../../support/shop/money-out.ts'

let desk: ColdDesk
// One desk for all tests: filling a cold wallet takes a while.
beforeEach(async () => {
  desk ??= await openColdDesk()
})
afterEach(() => untilSettled(desk.service, 'ethereum'))
afterAll(async () => {
  try {
    // What every test has left in them.
    await expectCleanBooks(desk.service)
  } finally {
    await desk?.service.stop()
  }
})

/** The balances of the platform's accounts that a refill may change. */
async function books() {
  const of = (kind: string, currency: string) => desk.held(kind, currency)
  return {
    coldEth: await of('cold', 'ETH'),
    coldUsdt: await of('cold', 'USDT'),
    chainEth: await of('chain', 'ETH'),
    chainUsdt: await of('chain', 'USDT'),
    floatEth: await of('float', 'ETH'),
    floatUsdt: await of('float', 'USDT'),
  }
}

it('tokens that the operator has signed go from cold to hot, the cold wallet pays the fee, and payouts can use them', async () => {
  const { shop, service } = desk
  const [before, owed] = [await books(), await shop.balance('USDT')]
  const refill = await desk.prepare('1000.5', 'usdt')
  expect(refill).toMatchObject({ amount: '1000.5', currency: 'USDT', coldAddress: operator.address })
  expect((await writeAccountRefill(service.app, refill.id)).unsigned).toBe(refill.unsigned)

  const signed = await desk.sign(refill)
  const sent = await desk.submit(signed)
  expect(sent).toMatchObject({ id: refill.id, refusal: null })
  // A second process, or the same command again, sends the same bytes.
  expect(await desk.submit(`${signed}\n`)).toEqual(sent)
  const [shown] = await listCold(service.app)
  expect(shown?.holdings.find(({ currency }) => currency === 'USDT')?.inTransit).toBe('1000.5')

  await desk.ended(refill.id, 'final')
  const { feeUnits } = await desk.spend(refill.id)
  expect(feeUnits).toBeGreaterThan(0n)
  expect(await books()).toEqual({
    ...before,
    coldUsdt: before.coldUsdt + 1_000_500_000n,
    chainUsdt: before.chainUsdt - 1_000_500_000n,
    coldEth: before.coldEth + (feeUnits ?? 0n),
    floatEth: before.floatEth - (feeUnits ?? 0n),
  })
  expect(await shop.balance('USDT')).toEqual(owed)
  // Handing it in once more after that changes nothing.
  expect(await desk.submit(signed)).toEqual(sent)
  await until(shop, await payOutTo(shop, 'ethereum', { currency: 'USDT', amount: '1000' }), 'completed')
})

it('a transaction that is handed in while the chain is halted is stored, and sent once the chain is followed again', async () => {
  const { service, gate } = desk
  const refill = await desk.prepare('1')
  const broadcast = vi.spyOn(gate, 'broadcast')
  await setHalt(service, gate.id, 'A test halts it.')
  expect(await desk.submit(await desk.sign(refill))).toMatchObject({
    refusal: expect.stringMatching(/is halted/),
  })
  expect((await desk.spend(refill.id)).transactions[0]).toMatchObject({ signed: {}, sentAt: null })
  expect(broadcast).not.toHaveBeenCalled()
  broadcast.mockRestore()
  await setHalt(service, gate.id, null)
  await desk.ended(refill.id, 'final')
})

it('native currency comes back too, at the fee that the operator’s wallet has chosen', async () => {
  const before = await books()
  const refill = await desk.prepare('2')
  const dearer = { maxFeePerGas: 90_000_000_000n, maxPriorityFeePerGas: 90_000_000_000n, gas: 30_000n }
  await desk.submit(await desk.sign(refill, dearer))
  await desk.ended(refill.id, 'final')
  const { feeUnits } = await desk.spend(refill.id)
  expect(feeUnits).toBe(90_000_000_000n * 30_000n)
  const arrived = parseDecimal('2', 18) ?? 0n
  expect(await books()).toEqual({
    ...before,
    coldEth: before.coldEth + arrived + (feeUnits ?? 0n),
    chainEth: before.chainEth - arrived,
    floatEth: before.floatEth - (feeUnits ?? 0n),
  })
})

it('the same refill at a higher fee replaces the first, and one of them is booked', async () => {
  const before = await books()
  const refill = await desk.prepare('1')
  const first = await desk.submit(await desk.sign(refill))
  const raised = { maxFeePerGas: 200_000_000_000n, maxPriorityFeePerGas: 200_000_000_000n }
  const second = await desk.submit(await desk.sign(refill, raised))
  expect(second).toMatchObject({ id: refill.id, refusal: null })
  expect(second.txHash).not.toBe(first.txHash)
  await desk.ended(refill.id, 'final')
  const { mined, feeUnits } = await desk.spend(refill.id)
  expect(mined?.hash).toBe(second.txHash)
  const units = parseDecimal('1', 18) ?? 0n
  expect(await desk.held('cold', 'ETH')).toBe(before.coldEth + units + (feeUnits ?? 0n))
})

it('two processes that prepare at once make one refill, and two that hand it in send one transaction', async () => {
  const made = await Promise.allSettled([desk.prepare('3', 'USDT'), desk.prepare('3', 'USDT')])
  expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [refill] = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (refill === undefined) throw new Error('There is no refill.')
  const signed = await desk.sign(refill)
  const [one, other] = await Promise.all([desk.submit(signed), desk.submit(signed)])
  expect(one).toEqual(other)
  expect((await desk.spend(refill.id)).transactions).toHaveLength(1)
  const acts = await query(
    desk.service.database.url,
    `select from audit_entries where action = 'refill.submitted' and subject = $1`,
    [refill.id],
  )
  expect(acts).toHaveLength(1)
  await desk.ended(refill.id, 'final')
})

it('a refill that was stored but not sent before the process died is sent by the worker', async () => {
  const refill = await desk.prepare('4', 'USDT')
  const { gate } = desk
  const { broadcast } = gate
  Object.assign(gate, {
    broadcast: () => {
      throw new GateOutageError('The process died here.')
    },
  })
  await expect(desk.submit(await desk.sign(refill))).rejects.toThrow('died here')
  Object.assign(gate, { broadcast })
  expect((await desk.spend(refill.id)).transactions[0]?.sentAt).toBeNull()
  await desk.ended(refill.id, 'final')
})

it('a refill that fails on the chain takes its fee from the cold wallet, and nothing else', async () => {
  const before = await books()
  const refill = await desk.prepare('5', 'USDT')
  await desk.submit(await desk.sign(refill))
  // The token takes away what the cold wallet has of it, as issuers can.
  await query(
    desk.service.database.url,
    `update simulated_outputs set units = 1 where address = $1 and currency = 'USDT'`,
    [operator.address],
  )
  await desk.ended(refill.id, 'reverted')
  const { feeUnits } = await desk.spend(refill.id)
  expect(await books()).toEqual({
    ...before,
    coldEth: before.coldEth + (feeUnits ?? 0n),
    floatEth: before.floatEth - (feeUnits ?? 0n),
  })
})

it('is in the audit log, with who prepared it', async () => {
  const acts = await query(
    desk.service.database.url,
    `select distinct action, actor from audit_entries where action like 'refill.%' order by action`,
  )
  expect(acts).toEqual([
    { action: 'refill.prepared', actor: by.actor },
    { action: 'refill.submitted', actor: by.actor },
  ])
})
