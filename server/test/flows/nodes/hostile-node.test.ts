import { expect, it } from 'vitest'
import { exactUnits } from '../../../src/gates/bitcoin/exact-json.ts'
import { coinGround, regtestWallet } from '../../hostile/coin-ground.ts'
import { openSiege } from '../../hostile/siege.ts'
import type { CoinNode } from '../../support/nodes/coin-node.ts'
import { startPayingNode } from '../../support/nodes/node-shop.ts'
import { limitsOf } from '../../support/signer/signer-limits.ts'

const seeds = Math.ceil(Number(process.env.SLUICE_HOSTILE_SEEDS ?? 200) / 50)
const maxFeeUnits = 50_000n
const given = limitsOf([{ network: 'bitcoin', currency: 'BTC', per_day: '0.00065' }], { bitcoin: '0.0005' })
const limits = { ...given, areRequired: true }

/** A node's wallet pays the coins of this many. */
const seedsPerNode = 16

type Mined = {
  readonly vin: readonly { readonly prevout: { readonly value: unknown } }[]
  readonly vout: readonly { readonly value: unknown; readonly scriptPubKey: { readonly address?: string } }[]
}
function unitsOf(value: unknown): bigint {
  const units = exactUnits(value, 8)
  if (units === null) throw new Error(`The node shows ${JSON.stringify(value)} as an amount.`)
  return units
}
const sumOf = (all: readonly { readonly value: unknown }[]) =>
  all.reduce((sum, { value }) => sum + unitsOf(value), 0n)

it(`in ${seeds} seeds on a real node, it mines nothing for the attacker, and for others only what was approved`, async () => {
  let mined = 0
  for (let from = 1; from <= seeds; from += seedsPerNode) {
    const node = await startPayingNode('bitcoin')
    try {
      mined += await besiege(node, from, Math.min(from + seedsPerNode - 1, seeds))
    } finally {
      await node.close()
    }
  }
  expect(mined).toBeGreaterThanOrEqual(seeds)
})

/** Returns how many transactions were mined. */
async function besiege(node: CoinNode, from: number, to: number): Promise<number> {
  const wallet = await regtestWallet()
  let mined = 0
  for (let seed = from; seed <= to; seed++) {
    const [destination, thief]: string[] = [await node.ask('getnewaddress'), await node.ask('getnewaddress')]
    const siege = await openSiege({
      limits,
      role: seed % 2 === 0 ? 'service' : 'superuser',
      wallet,
      thief: { coins: thief ?? '', account: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' },
      groundOf: coinGround(node, destination ?? ''),
    })
    try {
      await node.mine(1)
      const outcome = await siege.run(seed)
      expect(outcome.problems, `seed ${seed}, which did: ${outcome.done.join(', ')}`).toEqual([])
      // The node takes what it can, whoever sends it.
      for (const { bytes } of outcome.signed)
        await node.ask('sendrawtransaction', Buffer.from(bytes).toString('hex'), 0).catch(() => {})
      const [hash] = await node.mine(1)
      const { tx }: { tx: readonly Mined[] } = await node.ask('getblock', hash, 3)
      const outputs = tx.slice(1).flatMap(({ vout }) => vout)
      const paidTo = (address: string | undefined) =>
        outputs
          .filter(({ scriptPubKey }) => scriptPubKey.address === address)
          .map(({ value }) => unitsOf(value))
      expect(paidTo(thief)).toEqual([])
      const paid = paidTo(destination)
      expect(new Set(paid).size).toBe(paid.length)
      expect(outcome.approved).toEqual(expect.arrayContaining(paid))
      for (const { vin, vout } of tx.slice(1))
        expect(sumOf(vin.map(({ prevout }) => prevout)) - sumOf(vout)).toBeLessThanOrEqual(maxFeeUnits)
      mined += tx.length - 1
    } finally {
      await siege.close()
    }
  }
  return mined
}
