import { base58 } from '@scure/base'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OutageError } from '../../../src/domain/errors.ts'
import { systemProgram, tokenPrograms } from '../../../src/gates/solana/derived-address.ts'
import { destinationOf } from '../../../src/gates/solana/node-accounts.ts'
import { ScriptedError, type ScriptedNode, startScriptedNode } from '../../support/nodes/scripted-rpc.ts'
import { hot, receiver } from './plans.ts'
import { accountOf, hash, inContext, usual } from './scripted-answers.ts'
import { openGate, sol, tokenAt } from './spending.ts'

const mint = hash(60)
const usdc = tokenAt(mint)
const to = receiver(150)
const rent = 2_039_280

/** A token account. */
function holding(units: bigint, owner = to, length = 165) {
  const data = new Uint8Array(length)
  data.set(base58.decode(mint), 0)
  data.set(base58.decode(owner), 32)
  new DataView(data.buffer).setBigUint64(64, units, true)
  return accountOf(data, { owner: tokenPrograms.token, lamports: rent })
}
const wallet = accountOf(new Uint8Array())
const simulated = { err: null, logs: [], unitsConsumed: 6_172, accounts: [holding(300n)] }

let node: ScriptedNode
let opened: ReturnType<typeof openGate>
beforeAll(async () => {
  node = await startScriptedNode()
  opened = openGate([node.url], { assets: [sol, usdc] })
})
afterAll(async () => {
  opened.close()
  await node.close()
})

/** Simulates a payout of 300 units on a node with these accounts and this outcome. */
function paid(receiving: unknown, outcome: unknown = simulated, rentUnits: unknown = rent) {
  node.script = {
    ...usual,
    getMultipleAccounts: (addresses: string[]) => inContext([wallet, receiving].slice(0, addresses.length)),
    simulateTransaction: () => (outcome instanceof ScriptedError ? outcome : inContext(outcome)),
    getMinimumBalanceForRentExemption: () => rentUnits,
  }
  return opened.gate.simulateTransfer(hot.address, to, usdc, 300n)
}

it('returns the compute units with those of the nonce, and the rent of an account that is opened', async () => {
  expect(await paid(holding(0n))).toEqual({ gas: 6_322n })
  expect(await paid(null)).toEqual({ gas: 6_322n, opensAccount: true })
  // Lamports that someone sent to the address in advance do not make it a token account.
  expect(await paid(accountOf(new Uint8Array()))).toEqual({ gas: 6_322n, opensAccount: true })
})

it('refuses to open an account for more rent than a plan has', async () => {
  expect(await paid(null, simulated, rent + 1)).toEqual({
    refused: expect.stringContaining(`takes ${rent + 1} lamports`),
  })
  await expect(paid(null, simulated, 10 ** 9)).rejects.toThrow(OutageError)
})

it('refuses a token account that its owner has given away', async () => {
  expect(await paid(holding(0n, receiver(151)))).toEqual({
    refused: expect.stringContaining(`is owned by another address, ${receiver(151)}`),
  })
})

it('refuses a token that keeps a share', async () => {
  expect(await paid(holding(10n))).toEqual({
    refused: 'the token takes a fee or changes amounts: of 0.0003 sent, 0.00029 would arrive',
  })
})

it('says in words what a frozen account and an empty hot wallet mean', async () => {
  const logs = [`Program ${tokenPrograms.token} failed: custom program error: 0x11`]
  expect(await paid(holding(0n), { err: { InstructionError: [2, { Custom: 17 }] }, logs })).toEqual({
    refused: 'a token account is frozen by the issuer of the token',
  })
  expect(await paid(holding(0n), { err: 'AccountNotFound', logs: [] })).toEqual({
    refused: 'the hot wallet has no SOL to pay the fee with',
  })
  expect(await paid(holding(0n), { err: { InsufficientFundsForRent: { account_index: 0 } } })).toEqual({
    refused: 'the hot wallet would be left with too little SOL to exist',
  })
})

const broken = {
  'has no outcome': { ...simulated, err: undefined },
  'is nothing': null,
  'does not say what it takes': { ...simulated, unitsConsumed: null },
  'shows no accounts': { ...simulated, accounts: null },
  'shows other accounts': { ...simulated, accounts: [holding(300n), wallet] },
  'is refused': new ScriptedError(-32_602, 'odd'),
}
it.each(Object.entries(broken))('does not trust a simulation that %s', async (_, outcome) => {
  await expect(paid(holding(0n), outcome)).rejects.toThrow(OutageError)
})

it('tells what is at an address apart', () => {
  const shown = (program: string, length: number, kind?: number) => {
    const data = new Uint8Array(length)
    if (kind !== undefined) data[165] = kind
    return destinationOf({ units: 1n, program, isProgram: false, data }).kind
  }
  expect(destinationOf(null).kind).toBe('nothing')
  expect(shown(systemProgram, 0)).toBe('wallet')
  expect(shown(systemProgram, 80)).toBe('data')
  expect(shown(receiver(1), 165)).toBe('data')
  const { token, 'token-2022': newer } = tokenPrograms
  expect(shown(token, 82)).toBe('mint')
  expect(shown(token, 165)).toBe('token_account')
  expect(shown(token, 355)).toBe('data')
  expect(shown(newer, 82)).toBe('mint')
  expect(shown(newer, 165)).toBe('token_account')
  expect(shown(newer, 170, 2)).toBe('token_account')
  expect(shown(newer, 240, 1)).toBe('mint')
  expect(shown(newer, 355, 2)).toBe('data')
  expect(shown(newer, 240, 0)).toBe('data')
})
