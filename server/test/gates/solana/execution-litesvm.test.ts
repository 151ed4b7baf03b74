import { base58 } from '@scure/base'
import { expect, it } from 'vitest'
import type { SolanaStep, SolanaTransaction } from '../../../src/domain/solana-transaction.ts'
import { nonceAccount } from '../../../src/gates/solana/derived-address.ts'
import { readNonceAccount } from '../../../src/gates/solana/nonce-account.ts'
import { signSolanaTransaction } from '../../../src/gates/solana/sign-transaction.ts'
import { describeExecution } from './execution.ts'
import { durableNonce, startLiteSvm } from './litesvm.ts'
import { hot, keyOf, planOf, receiver } from './plans.ts'

describeExecution('litesvm', { undoesFailed: true }, async () => startLiteSvm())

it('the value of a nonce account follows from the hash of the transaction that sets it', async () => {
  const executor = startLiteSvm()
  await executor.fund(hot.address, 1_000_000_000n)
  const hash = await executor.blockhash()
  const account = nonceAccount(hot.address, 0)
  const nonce = async () => readNonceAccount((await executor.account(account))?.data ?? new Uint8Array())
  const next = (value: string) => ({ authority: hot.address, value: base58.encode(durableNonce(value)) })
  const send = (plan: SolanaTransaction) => executor.send(signSolanaTransaction(plan, keyOf).bytes)
  const create: SolanaStep = { kind: 'create_nonce', index: 0, units: 1_447_680n }
  expect(await send(planOf([create], { kind: 'blockhash', value: hash }))).toEqual({ kind: 'done' })
  expect(await nonce()).toEqual(next(hash))
  // Also when the transaction fails, where we have to see to it.
  const failing: SolanaStep = {
    kind: 'transfer',
    from: hot,
    to: receiver(1),
    units: 10n ** 12n,
    payoutId: null,
  }
  for (const [steps, kind] of [[[], 'done'] as const, [[failing], 'failed'] as const]) {
    await executor.blockhash()
    const value = (await nonce())?.value ?? ''
    expect(await send(planOf(steps, { kind: 'nonce', index: 0, value }))).toMatchObject({ kind })
    expect(await nonce()).toEqual(next(value))
  }
})

it('data that is no nonce account in use has no value', () => {
  expect(readNonceAccount(new Uint8Array(80))).toBeNull()
  expect(readNonceAccount(new Uint8Array(79))).toBeNull()
  // The old format.
  expect(readNonceAccount(new Uint8Array(80).with(4, 1))).toBeNull()
})
