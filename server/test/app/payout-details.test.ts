import { expect, it } from 'vitest'
import { payoutDetails } from '../../src/app/payouts/payout-details.ts'

const payout = {
  destination: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh',
  destinationTag: '7',
  network: 'xrp',
  amountUnits: 1_500_000n,
  decimals: 6,
  currency: 'XRP',
}

it('the audit log tells payouts to two customers of an exchange apart, and to one address on two networks', () => {
  const noted = { destination: payout.destination, network: 'xrp', amount: '1.5', currency: 'XRP' }
  expect(payoutDetails(payout)).toEqual({ ...noted, destination_tag: '7' })
  expect(payoutDetails({ ...payout, destinationTag: null, network: 'other' })).toEqual({
    ...noted,
    network: 'other',
  })
})
