import { expect, it } from 'vitest'
import { payoutObjection } from '../../src/signer/check-payout.ts'
import { judge } from '../../src/signer/check-spend.ts'

const attempt = { spendId: 'a spend', gateId: 'bitcoin-live' } as const
const payout = {
  id: 'a payout',
  status: 'processing',
  spendId: 'a spend',
  gateId: 'bitcoin-live',
  network: 'bitcoin',
  environment: 'live',
}

it.each([
  ['that waits for its approval', { status: 'approved' }, 'not being processed by this spend'],
  ['of another spend', { spendId: 'another spend' }, 'not being processed by this spend'],
  ['of another gate', { gateId: 'litecoin-live' }, 'not being processed by this spend'],
  ['of another network', { network: 'litecoin' }, 'belongs to another network or environment'],
  ['of another environment', { environment: 'test' }, 'belongs to another network or environment'],
])('a payout %s is not paid in spite of its approvals', (_, change, reason) => {
  const nothing = {} as never
  const found = payoutObjection({ ...payout, ...change } as never, attempt, nothing, nothing, new Date())
  expect(found).toEqual({ reason: expect.stringContaining(reason), isForGood: false })
})

it('a wallet judges no spend of another environment, even if the database lists one', async () => {
  const wallet = { environment: 'test', network: () => ({ network: { id: 'bitcoin' } }) } as never
  const found = await judge({} as never, wallet, {} as never, attempt as never, {} as never)
  expect(found).toEqual({ reason: expect.stringContaining('a different environment'), isForGood: false })
})
