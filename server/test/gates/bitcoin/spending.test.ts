import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hex } from '@scure/base'
import { SigHash, Transaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bitcoin } from '../../../src/domain/networks/bitcoin.ts'
import type { CoinPlan, KeyPath } from '../../../src/domain/spends.ts'
import { bitcoinKey } from '../../../src/gates/bitcoin/account-key.ts'
import { p2wpkhAddress } from '../../../src/gates/bitcoin/address.ts'
import { checkWitness } from '../../../src/gates/bitcoin/check-witness.ts'
import type { Family } from '../../../src/gates/family.ts'
import { addressOf, type Chain, chains, familyOf, nameOf, networkOf, seed } from './addresses.ts'

const spendingOf = ({ spending }: Family) => {
  if (spending.kind !== 'coins') throw new Error('This network spends coins.')
  return spending
}
const keys = new Map<string, Uint8Array>()
// Deriving from the seed takes longer than signing.
const keysOf =
  ({ coin, chain }: Chain) =>
  (path: KeyPath): Uint8Array => {
    const name = `${coin} ${chain} ${path.chain} ${path.index}`
    const key = keys.get(name) ?? bitcoinKey(seed, networkOf({ coin }), chain, path)
    keys.set(name, key)
    return key
  }
const [main, test] = [chains[0], chains[1]]

describe('keys', () => {
  it("change addresses are BIP-84's for its mnemonic", () => {
    expect(spendingOf(familyOf(main)).changeAddress(0)).toBe('bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el')
  })

  it.each(chains)('of $coin $chain unlock the addresses that the account key derives', (chain) => {
    const rules = networkOf(chain).rules[chain.chain]
    const family = familyOf(chain)
    const open = (path: KeyPath) => p2wpkhAddress(rules, secp256k1.getPublicKey(keysOf(chain)(path)))
    for (const index of [0, 1, 2 ** 31 - 1]) {
      expect(open({ chain: 'deposit', index })).toBe(family.depositAddress(index)?.address)
      expect(open({ chain: 'own', index })).toBe(spendingOf(family).changeAddress(index))
    }
  })

  it.each([-1, 1.5, 2 ** 31])('with index %d are an error', (index) => {
    expect(() => keysOf(main)({ chain: 'own', index })).toThrow(RangeError)
    expect(() => spendingOf(familyOf(main)).changeAddress(index)).toThrow(RangeError)
  })
})

describe('BIP-143', () => {
  // "Native P2WPKH": we check the second input; the first is of a legacy type.
  const signed = hex.decode(
    '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc2' +
      '6ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4' +
      'ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff' +
      '02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4d' +
      'be6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a' +
      '0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb' +
      '3566bb0ad253f62fc70f07aeee635711000000',
  )
  const rules = bitcoin.rules.main
  const transaction = Transaction.fromRaw(signed)
  const witness = transaction.getInput(1).finalScriptWitness ?? []
  const address = p2wpkhAddress(rules, witness[1] ?? new Uint8Array())
  const units = 600_000_000n

  it('the published signature is accepted for the coin it spends, and for no other amount, input or key', () => {
    expect(checkWitness(rules, transaction, 1, witness, { address, units })).toBeNull()
    expect(checkWitness(rules, transaction, 1, witness, { address, units: units - 1n })).toContain('invalid')
    expect(checkWitness(rules, transaction, 0, witness, { address, units })).toContain('invalid')
    const another = familyOf(main).depositAddress(0)?.address ?? ''
    expect(checkWitness(rules, transaction, 1, witness, { address: another, units })).toContain(
      'not the key of',
    )
  })

  it('our signing code produces the published signature', () => {
    const again = new Transaction({ version: 1, lockTime: 17, lowR: true, allowUnknownInputs: true })
    const script = hex.decode(`0014${'1d0f172a0ecb48aee1be1f2687d2963ae33f71a1'}`)
    for (const at of [0, 1]) {
      const { txid = new Uint8Array(), index = 0, sequence = 0 } = transaction.getInput(at)
      again.addInput({ txid, index, sequence, witnessUtxo: { script, amount: units } })
    }
    for (const at of [0, 1]) again.addOutput(transaction.getOutput(at))
    const key = hex.decode('619c335025c7f4012e556c2a58b2506e30b8511b53ade95ea316fd8c3286feb9')
    again.signIdx(key, 1, [SigHash.ALL])
    again.finalizeIdx(1)
    expect(again.getInput(1).finalScriptWitness).toEqual(witness)
  })
})

const txHash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hex.encode)
const path = fc.record({ chain: fc.constantFrom('deposit', 'own'), index: fc.nat(5) })

/** Plans that add up, to every type of address, with change and without. */
function planOn(chain: Chain): fc.Arbitrary<CoinPlan> {
  const spending = spendingOf(familyOf(chain))
  return fc
    .record({
      inputs: fc.uniqueArray(
        fc.record({
          txHash,
          outputIndex: fc.nat(1_000),
          units: fc.bigInt({ min: 10_000_000n, max: 2n ** 50n }),
          key: path,
        }),
        { minLength: 1, maxLength: 5, selector: (coin) => coin.txHash },
      ),
      paid: fc.array(fc.tuple(addressOf(chain), fc.bigInt({ min: 546n, max: 1_000_000n })), {
        minLength: 1,
        maxLength: 5,
      }),
      changeAt: fc.option(fc.nat(5)),
      changeIndex: fc.nat(5),
      feeUnits: fc.bigInt({ min: 200n, max: 50_000n }),
    })
    .map(({ inputs, paid, changeAt, changeIndex, feeUnits }) => {
      const outputs: CoinPlan['outputs'][number][] = paid.map(([{ address }, units], at) => ({
        address,
        units,
        payoutId: `payout ${at}`,
      }))
      const put = inputs.reduce((sum, { units }) => sum + units, 0n)
      const left = put - outputs.reduce((sum, { units }) => sum + units, 0n)
      if (changeAt === null) return { kind: 'coins', inputs, outputs, change: null, feeUnits: left }
      const outputIndex = Math.min(changeAt, outputs.length)
      const change = { address: spending.changeAddress(changeIndex), units: left - feeUnits, payoutId: null }
      outputs.splice(outputIndex, 0, change)
      return { kind: 'coins', inputs, outputs, change: { outputIndex, index: changeIndex }, feeUnits }
    })
}

describe('signing', () => {
  it.each(chains)('produces the same bytes for the same plan on $coin $chain', (chain) => {
    const family = familyOf(chain)
    fc.assert(
      fc.property(planOn(chain), (plan) => {
        const { hash, bytes } = family.sign(plan, keysOf(chain))
        expect(family.sign(plan, keysOf(chain))).toEqual({ hash, bytes })
        const transaction = Transaction.fromRaw(bytes)
        expect(transaction.id).toBe(hash)
        expect(transaction.version).toBe(2)
        expect(transaction.lockTime).toBe(0)
        // BIP-125: replaceable.
        for (const at of plan.inputs.keys()) expect(transaction.getInput(at).sequence).toBe(0xfffffffd)
        expect(plan.outputs.map((_, at) => transaction.getOutputAddress(at, chain.params))).toEqual(
          plan.outputs.map(({ address }) => address),
        )
      }),
      { numRuns: 5 },
    )
  })

  it('estimates a size that is never too small, and at most a byte per four inputs too large', () => {
    const spending = spendingOf(familyOf(test))
    fc.assert(
      fc.property(planOn(test), (plan) => {
        const { bytes } = familyOf(test).sign(plan, keysOf(test))
        const real = Transaction.fromRaw(bytes).vsize
        const said = Number(
          spending.sizeOf(
            plan.inputs.length,
            plan.outputs.map(({ address }) => address),
          ),
        )
        expect(said).toBeGreaterThanOrEqual(real)
        expect(said - real).toBeLessThanOrEqual(1 + Math.ceil(plan.inputs.length / 4))
      }),
      { numRuns: 30 },
    )
  })

  it('works for the largest transaction that we would make, which has the estimated size', () => {
    const family = familyOf(test)
    const { maxInputs, maxOutputs, sizeOf } = spendingOf(family)
    const address = 'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c'
    const plan: CoinPlan = {
      kind: 'coins',
      inputs: Array.from({ length: maxInputs }, (_, at) => ({
        txHash: at.toString(16).padStart(64, '0'),
        outputIndex: at,
        units: 1_000n,
        key: { chain: 'deposit', index: 0 },
      })),
      outputs: Array.from({ length: maxOutputs }, (_, at) => ({ address, units: 1_000n, payoutId: `${at}` })),
      change: null,
      feeUnits: BigInt(maxInputs - maxOutputs) * 1_000n,
    }
    const real = Transaction.fromRaw(family.sign(plan, keysOf(test)).bytes).vsize
    const said = Number(sizeOf(maxInputs, new Array(maxOutputs).fill(address)))
    expect(said).toBeGreaterThanOrEqual(real)
    expect(said - real).toBeLessThanOrEqual(maxInputs / 50)
    expect(said).toBeLessThan(100_000)
  })

  it('throws for the size of an address of another chain', () => {
    expect(() =>
      spendingOf(familyOf(test)).sizeOf(1, ['bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el']),
    ).toThrow('not a canonical address of this chain')
  })

  it('leaves change below the dust limit of each network to the miner', () => {
    const dust = Object.fromEntries(
      chains.map((each) => [nameOf(each), spendingOf(familyOf(each)).dustUnits]),
    )
    expect([dust['bitcoin main'], dust['bitcoin test']]).toEqual([294n, 294n])
    expect([dust['litecoin main'], dust['litecoin regtest']]).toEqual([2_940n, 2_940n])
  })
})

describe('signing refuses', () => {
  const family = familyOf(test)
  const change = { address: spendingOf(family).changeAddress(7), units: 4_000n, payoutId: null }
  const payout = { address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', units: 5_000n, payoutId: 'payout' }
  const coin = { txHash: 'ab'.repeat(32), outputIndex: 0, units: 10_000n }
  const good: CoinPlan = {
    kind: 'coins',
    inputs: [{ ...coin, key: { chain: 'deposit', index: 3 } }],
    outputs: [payout, change],
    change: { outputIndex: 1, index: 7 },
    feeUnits: 1_000n,
  }
  const other = { ...good, inputs: [...good.inputs, { ...coin, key: { chain: 'own', index: 0 } as const }] }

  it.each([
    ['a fee that is not the difference', { ...good, feeUnits: 999n }, 'Inputs minus outputs'],
    [
      'outputs above the inputs',
      { ...good, outputs: [{ ...payout, units: 9_000n }, change] },
      'Inputs minus',
    ],
    [
      'change to another address than the one named',
      { ...good, change: { outputIndex: 1, index: 8 } },
      'change',
    ],
    ['a payout named as change', { ...good, change: { outputIndex: 0, index: 7 } }, 'payout or our change'],
    [
      'change that is not an output',
      { ...good, change: { outputIndex: 2, index: 7 } },
      'payout or our change',
    ],
    ['an output that is neither a payout nor change', { ...good, change: null }, 'payout or our change'],
    ['a coin spent twice', { ...other, feeUnits: 11_000n }, 'twice'],
    ['no inputs', { ...good, inputs: [], feeUnits: -9_000n }, 'inputs'],
    ['no outputs', { ...good, outputs: [], change: null, feeUnits: 10_000n }, 'outputs'],
    ['an output of zero', { ...good, outputs: [{ ...payout, units: 0n }, change], feeUnits: 6_000n }, 'zero'],
    [
      'an address of another chain',
      { ...good, outputs: [{ ...payout, address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }, change] },
      'not a canonical address',
    ],
    [
      'an input without a transaction',
      { ...good, inputs: [{ ...good.inputs[0], txHash: 'ab' }] },
      'no valid transaction hash',
    ],
    ['a plan for an account', { kind: 'account' }, 'must spend coins'],
  ])('%s', (_, plan, message) => expect(() => family.sign(plan as CoinPlan, keysOf(test))).toThrow(message))

  it('a plan with the key of another path or of another chain', () => {
    expect(family.sign(good, keysOf(test)).bytes.length).toBeGreaterThan(0)
    for (const wrong of [
      { chain: 'deposit', index: 4 },
      { chain: 'own', index: 3 },
    ] as const)
      expect(() => family.sign(good, () => keysOf(test)(wrong))).toThrow('does not belong to it')
    expect(() => family.sign(good, keysOf(main))).toThrow('does not belong to it')
  })
})
