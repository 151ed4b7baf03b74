import { expect, it } from 'vitest'
import { exactUnits } from '../../../src/gates/bitcoin/exact-json.ts'
import { coinGround, regtestWallet } from '../../hostile/coin-ground.ts'
import { liveThief } from '../../hostile/forgeries.ts'
import { tellProgress } from '../../hostile/progress.ts'
import { openSiege } from '../../hostile/siege.ts'
import { addressIn, type CoinNode, coins } from '../../support/nodes/coin-node.ts'
import { isEveryNode, mainCoin } from '../../support/nodes/each-coin.ts'
import { startPayingNode } from '../../support/nodes/node-shop.ts'
import { limitsOf } from '../../support/signer/signer-limits.ts'

const runs = Number(process.env.SLUICE_HOSTILE_SEEDS ?? 200)
const maxFeeUnits = 50_000n

/** A node's wallet pays the coins of this many. */
const seedsPerNode = 16

type Mined = {
  readonly vin: readonly { readonly txid: string; readonly vout: number }[]
  readonly vout: readonly { readonly value: unknown; readonly scriptPubKey: unknown }[]
}

function unitsOf(value: unknown): bigint {
  const units = exactUnits(value, 8)
  if (units === null) throw new Error(`The node shows ${JSON.stringify(value)} as an amount.`)
  return units
}

const sumOf = (all: readonly { readonly value: unknown }[]) =>
  all.reduce((sum, { value }) => sum + unitsOf(value), 0n)

const soaked = [
  ['bitcoin', Math.ceil(runs / 50)],
  ['litecoin', Math.ceil(runs / 100)],
] as const

it.each(isEveryNode ? soaked : [[mainCoin(), 2] as const])(
  'a real node of %s mines nothing for the attacker, and for others only what was approved, in %d seeds',
  async (coin, seeds) => {
    let mined = 0
    for (let from = 1; from <= seeds; from += seedsPerNode) {
      tellProgress(`${coin} node`, from - 1, seeds)
      const node = await startPayingNode(coin)
      try {
        mined += await besiege(node, from, Math.min(from + seedsPerNode - 1, seeds))
      } finally {
        await node.close()
      }
    }
    expect(mined).toBeGreaterThanOrEqual(seeds)
  },
)

/** Returns how many transactions were mined. */
async function besiege(node: CoinNode, from: number, to: number): Promise<number> {
  const { coin } = node
  const wallet = await regtestWallet(coin)
  const { currency } = coins[coin]
  const given = limitsOf([{ network: coin, currency, per_day: '0.00065' }], { [coin]: '0.0005' })
  const newAddress = (): Promise<string> => node.ask('getnewaddress', '', 'bech32')
  let mined = 0
  for (let seed = from; seed <= to; seed++) {
    const [listed, unlisted, thief] = [await newAddress(), await newAddress(), await newAddress()]
    const siege = await openSiege({
      limits: { ...given, areRequired: true },
      role: seed % 2 === 0 ? 'service' : 'superuser',
      wallet,
      thief: { ...liveThief, coins: thief },
      groundOf: coinGround(node, { listed, unlisted }),
    })
    try {
      await node.mine(1)
      const outcome = await siege.run(seed)
      expect(outcome.problems, `seed ${seed}, which did: ${outcome.done.join(', ')}`).toEqual([])
      // The node takes what it can from any sender.
      for (const { bytes } of outcome.signed)
        await node.ask('sendrawtransaction', Buffer.from(bytes).toString('hex'), 0).catch(() => {})
      const [hash] = await node.mine(1)
      const { tx }: { tx: readonly Mined[] } = await node.ask('getblock', hash, 2)
      const outputs = tx.slice(1).flatMap(({ vout }) => vout)
      const paidTo = (address: string) =>
        outputs
          .filter(({ scriptPubKey }) => addressIn(scriptPubKey) === address)
          .map(({ value }) => unitsOf(value))
      expect(paidTo(thief)).toEqual([])
      const paid = [...paidTo(listed), ...paidTo(unlisted)]
      expect(new Set(paid).size).toBe(paid.length)
      expect(outcome.approved).toEqual(expect.arrayContaining(paid))
      for (const each of tx.slice(1)) expect(await feeOf(node, each)).toBeLessThanOrEqual(maxFeeUnits)
      mined += tx.length - 1
    } finally {
      await siege.close()
    }
  }
  return mined
}

async function feeOf(node: CoinNode, { vin, vout }: Mined): Promise<bigint> {
  let paid = 0n
  for (const { txid, vout: at } of vin) {
    // The node's own wallet paid every coin.
    const { decoded }: { decoded: Mined } = await node.ask('gettransaction', txid, false, true)
    paid += unitsOf(decoded.vout[at]?.value)
  }
  return paid - sumOf(vout)
}
