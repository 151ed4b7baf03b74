import { base58 } from '@scure/base'
import { expect, it } from 'vitest'
import { associatedTokenAccount } from '../../../src/gates/solana/derived-address.ts'
import { solanaDestinationKind } from '../../../src/gates/solana/destination.ts'
import { hot, receiver } from './plans.ts'

const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const known = { mints: new Set([usdc]), own: new Set([hot.address]) }

it.each([
  ['wallet', receiver(1)],
  ['off_curve', associatedTokenAccount(receiver(1), 'token', usdc)],
  ['mint', usdc],
  ['program', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
  ['program', '11111111111111111111111111111111'],
  ['own', hot.address],
  ['invalid', receiver(1).slice(1)],
  ['invalid', `${receiver(1)}1`],
  ['invalid', ''],
  // The point of order 2: on the curve, but no key generates it.
  ['invalid', base58.encode(new Uint8Array(32).fill(255).with(0, 236).with(31, 127))],
])('an address is recognised as %s: %s', (kind, address) => {
  expect(solanaDestinationKind(address, known)).toBe(kind)
})
