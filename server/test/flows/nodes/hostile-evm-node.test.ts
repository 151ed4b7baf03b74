import { expect, it } from 'vitest'
import { evmGround } from '../../hostile/evm-ground.ts'
import { tellProgress } from '../../hostile/progress.ts'
import type { Role } from '../../hostile/rows.ts'
import { openSiege, type Signed } from '../../hostile/siege.ts'
import { type Anvil, startAnvil } from '../../support/nodes/anvil.ts'
import { limitsOf } from '../../support/signer/signer-limits.ts'

const seeds = Math.ceil(Number(process.env.SLUICE_HOSTILE_SEEDS ?? 200) / 100)
const maxFeeUnits = 5n * 10n ** 15n
const given = limitsOf(
  [
    { network: 'ethereum', currency: 'ETH', per_day: '0.012' },
    { network: 'ethereum', currency: 'USDT', per_day: '0.03' },
  ],
  { ethereum: '0.005', base: '0.005' },
)
const limits = { ...given, areRequired: true }

const thief = { coins: '', account: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', solana: '' }
const listed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const unlisted = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const cold = '0x52908400098527886E0F7030069857D2E4169EE7'
const addresses = {
  listed: { coins: '', account: listed, solana: '' },
  unlisted: { coins: '', account: unlisted, solana: '' },
  cold: { coins: '', account: cold, solana: '' },
}

type Attempt = {
  readonly from: string
  readonly nonce: bigint
  readonly gasPrice: bigint
  readonly bytes: Uint8Array
}
type Receipt = { readonly gasUsed: string; readonly effectiveGasPrice: string }

it.each<Role>(['superuser', 'service'])(
  `a real node of Ethereum executes nothing for the attacker as %s, and for others only what was approved, in ${seeds} seeds`,
  async (role) => {
    const anvil = await startAnvil()
    try {
      expect(await besiege(anvil, role)).toBeGreaterThanOrEqual(seeds)
    } finally {
      await anvil.giveBack()
    }
  },
)

/** Returns how many transactions were mined. */
async function besiege(anvil: Anvil, role: Role): Promise<number> {
  const { wallet, ground, held } = await evmGround(anvil, addresses)
  const siege = await openSiege({ limits, role, wallet, thief, groundOf: () => ground })
  let mined = 0
  try {
    for (let seed = 1; seed <= seeds; seed++) {
      if (seed % 10 === 1) tellProgress(`Ethereum node as ${role}`, seed - 1, seeds)
      const outcome = await siege.run(role === 'service' ? seeds + seed : seed)
      expect(outcome.problems, `seed ${seed}, which did: ${outcome.done.join(', ')}`).toEqual([])
      const before = await anvil.ask('evm_snapshot')
      const others = [thief.account, listed, unlisted]
      const paid: bigint[] = []
      for (const same of attemptsOf(outcome.signed)) {
        const had = await held(others)
        const fee = await execute(anvil, same)
        if (fee === null) continue
        mined++
        expect(fee).toBeLessThanOrEqual(maxFeeUnits)
        const [stolen, ...got] = (await held(others)).map(({ ETH, USDT }, at) => [
          ETH - (had[at]?.ETH ?? 0n),
          USDT - (had[at]?.USDT ?? 0n),
        ])
        expect(stolen).toEqual([0n, 0n])
        paid.push(...got.flat().filter((units) => units !== 0n))
      }
      expect(new Set(paid).size).toBe(paid.length)
      expect(outcome.approved).toEqual(expect.arrayContaining(paid))
      await anvil.ask('evm_revert', before)
    }
    return mined
  } finally {
    await siege.close()
  }
}

/** What was signed on Ethereum, by account and nonce: the node takes one of each. The dearest first. */
function attemptsOf(signed: readonly Signed[]): Attempt[][] {
  const attempts = signed.flatMap(({ network, plan, bytes }) =>
    network === 'ethereum' && plan.kind === 'account'
      ? [{ from: plan.from.address, nonce: plan.nonce, gasPrice: plan.gasPrice, bytes }]
      : [],
  )
  const groups = Map.groupBy(attempts, ({ from, nonce }) => `${from} ${nonce}`)
  return [...groups.values()].map((group) => group.sort((a, b) => Number(b.gasPrice - a.gasPrice)))
}

/** Has the node mine the first of these that it takes, as if it were its turn. Returns its fee. */
async function execute(anvil: Anvil, attempts: readonly Attempt[]): Promise<bigint | null> {
  for (const { from, nonce, bytes } of attempts) {
    await anvil.ask('anvil_setNonce', from, `0x${nonce.toString(16)}`)
    await anvil.ask('anvil_setNextBlockBaseFeePerGas', '0x1')
    const raw = `0x${Buffer.from(bytes).toString('hex')}`
    const hash = await anvil.ask('eth_sendRawTransaction', raw).catch(() => null)
    if (hash === null) continue
    await anvil.mine()
    const receipt: Receipt | null = await anvil.ask('eth_getTransactionReceipt', hash)
    if (receipt !== null) return BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
  }
  return null
}
