import { describe, expect, it } from 'vitest'
import { maxPlanBytes, planToJson, readPlan } from '../../src/domain/plan-json.ts'
import type { AccountPlan, CoinPlan } from '../../src/domain/spends.ts'

const payoutId = '01a1ea6f-bfef-76da-b565-e813771f096f'

const account: AccountPlan = {
  kind: 'account',
  from: { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', key: { chain: 'own', index: 0 } },
  nonce: 7n,
  to: { address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe', tag: '42' },
  currency: 'USDT',
  contractAddress: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  units: 2n ** 255n,
  gasLimit: 21_000n,
  gasPrice: 10n ** 9n,
  payoutId,
}
const coins: CoinPlan = {
  kind: 'coins',
  inputs: [
    { txHash: 'ab'.repeat(32), outputIndex: 1, units: 5n, key: { chain: 'deposit', index: 2 ** 31 - 1 } },
  ],
  outputs: [
    { address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', units: 3n, payoutId },
    { address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', units: 1n, payoutId: null },
  ],
  change: { outputIndex: 1, index: 3 },
  feeUnits: 1n,
}

it.each([
  ['an account', account],
  ['an account with a data fee', { ...account, dataFeeUnits: 0n }],
  [
    'an account without tag, contract and payout',
    { ...account, to: { ...account.to, tag: null }, contractAddress: null, payoutId: null },
  ],
  ['coins', coins],
  ['coins without change', { ...coins, change: null }],
] as const)('a plan that spends from %s is read as it was written', (_, plan) => {
  expect(readPlan(planToJson(plan))).toEqual(plan)
})

it('the largest plan that is ever made is read', () => {
  const [input] = coins.inputs
  const [output] = coins.outputs
  const plan = { ...coins, inputs: Array(200).fill(input), outputs: Array(100).fill(output) }
  const text = JSON.stringify(JSON.parse(planToJson(plan)), null, 1)
  expect(text.length).toBeLessThan(maxPlanBytes)
  expect(readPlan(text)).toEqual(plan)
})

describe('a plan is not read', () => {
  const stored = (plan: object) => JSON.parse(planToJson(plan as AccountPlan))
  /** Every place in a plan, as a path of members. */
  function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
    if (typeof value !== 'object' || value === null) return [at]
    return [at, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name]))]
  }
  function put(value: unknown, [name, ...rest]: readonly string[], with_: unknown): unknown {
    if (name === undefined) return with_
    const copy = Array.isArray(value) ? [...value] : { ...(value as object) }
    const inner = (copy as Record<string, unknown>)[name]
    return Object.assign(copy, { [name]: put(inner, rest, with_) })
  }
  const wrong = [
    undefined,
    true,
    {},
    [],
    -1,
    '-1',
    '1.5',
    '01',
    '1e3',
    ' ',
    '',
    'x'.repeat(129),
    '9'.repeat(79),
    2 ** 40,
  ]

  it.each([
    ['an account', { ...account, dataFeeUnits: 1n }],
    ['coins', coins],
  ])('when any part of one that spends from %s is missing or something else', (_, plan) => {
    for (const place of placesIn(stored(plan)))
      for (const value of wrong) {
        const isOptional = place.join() === 'dataFeeUnits' && value === undefined
        // A word may be any word: whether it is an address is decided later.
        const isWord = /^(address|tag|currency|contractAddress)$/.test(place.at(-1) ?? '') && isPlain(value)
        const text = JSON.stringify(put(stored(plan), place, value))
        if (!isOptional && !isWord && text !== undefined)
          expect(readPlan(text), `${place.join('.')} as ${JSON.stringify(value)}`).toBeNull()
      }
  })

  it('when it has one member more, at any place', () => {
    for (const plan of [account, coins])
      for (const place of placesIn(stored(plan))) {
        const inner = place.reduce<unknown>(
          (value, name) => (value as Record<string, unknown>)[name],
          stored(plan),
        )
        if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue
        for (const name of ['extra', 'toString'])
          expect(readPlan(JSON.stringify(put(stored(plan), [...place, name], 1)))).toBeNull()
      }
    expect(readPlan(planToJson(account).replace('{', '{"__proto__":{},'))).toBeNull()
  })

  it.each([
    ['no JSON', '{'],
    ['nothing', 'null'],
    ['a list', '[]'],
    ['of another kind', JSON.stringify({ ...stored(account), kind: 'multisend' })],
    ['too long', `${' '.repeat(maxPlanBytes)}${planToJson(account)}`],
    ['without inputs', planToJson({ ...coins, inputs: [] })],
    ['without outputs', planToJson({ ...coins, outputs: [] })],
    [
      'with a hash in capitals',
      planToJson({ ...coins, inputs: [{ ...coins.inputs[0], txHash: 'AB'.repeat(32) } as never] }),
    ],
  ])('when it is %s', (_, text) => {
    expect(readPlan(text)).toBeNull()
  })

  function isPlain(value: unknown): boolean {
    return typeof value === 'string' && value.trim() !== '' && value.length <= 128
  }
})
