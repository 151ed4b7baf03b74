import type { Payout } from '../../src/domain/payouts.ts'
import { ceilingOf } from '../../src/domain/spending-limits.ts'
import { type Coin, hotKey, type SignedTransaction, type SpendPlan } from '../../src/domain/spends.ts'
import type { ReadTransaction } from '../../src/gates/family.ts'
import { nativeOf } from '../../src/gates/gate.ts'
import type { SignerLimits } from '../../src/signer/check-limits.ts'
import type { Wallet } from '../../src/signer/wallet.ts'

/** A transaction that the network would accept, as its bytes say. */
type Mineable = {
  readonly network: string
  /** Transactions that share one of these rule each other out. */
  readonly uses: readonly string[]
  /** The approved payouts that it pays. */
  readonly pays: readonly string[]
  readonly feeUnits: bigint
  /** What it is for, as its bytes say, where no payout pays its fee. */
  readonly unpaid: Unpaid | null
}

/** Each has a daily limit of fees. A fill and a cancellation look alike on the chain. */
type Unpaid = 'sweep' | 'gas' | 'consolidation' | 'cold' | 'fill or cancellation'
const limitsOfUnpaid: Readonly<Record<Unpaid, bigint>> = {
  sweep: 1n,
  gas: 1n,
  consolidation: 1n,
  cold: 1n,
  'fill or cancellation': 2n,
}

/**
 * Knows what trusted people approved and what is on the chain, and judges every signature by its bytes alone. The database
 * is never asked.
 */
export function createJudge(
  wallet: Wallet,
  limits: SignerLimits,
  /** The operator's cold wallets by network, as the signer's own settings have them. */
  cold: Readonly<Record<string, string>>,
) {
  const approved = new Map<string, { id: string; units: bigint; network: string; currency: string }>()
  const coins = new Map<string, bigint>()
  /** By transaction, the inputs that have a valid witness. Those of several signing rounds can be combined. */
  const witnessed = new Map<string, Set<number>>()
  const mineable = new Map<string, Mineable>()
  const problems: string[] = []

  function isCold(network: string, address: string | null): boolean {
    return address !== null && cold[network] === address
  }

  function isOwn(network: string, address: string | null, plan: SpendPlan): boolean {
    if (isCold(network, address)) return true
    // Where the plan says that its change goes is a hint: the wallet derives the address there itself.
    const change = plan.kind === 'coins' ? (plan.change?.index ?? 0) : 0
    const keys = [
      hotKey,
      { chain: 'own', index: change } as const,
      ...[0, 1, 2].map((index) => ({ chain: 'deposit', index }) as const),
    ]
    return keys.some((key) => wallet.addressAt(network, key) === address)
  }

  /** The payout that an output pays. No two payouts of a run have the same amount. */
  function paidBy(network: string, currency: string, to: string | null, units: bigint): string | null {
    const payout = approved.get(`${network} ${currency} ${to} ${units}`)
    if (payout !== undefined) return payout.id
    problems.push(`${units} ${currency} leave to ${to} on ${network}, which no one approved`)
    return null
  }

  function ofCoins(
    network: string,
    plan: SpendPlan,
    read: ReadTransaction & { kind: 'coins' },
  ): Mineable | null {
    if (plan.kind !== 'coins') throw new Error('The bytes are of another kind than the plan.')
    const valid = witnessed.get(read.hash) ?? new Set()
    witnessed.set(read.hash, valid)
    const trueUnits = read.inputs.map((input) => coins.get(coinName(input)))
    // BIP-143: a signature commits to the amount that was stated for its input.
    for (const [at, units] of trueUnits.entries()) if (units === plan.inputs[at]?.units) valid.add(at)
    if (valid.size < read.inputs.length) return null
    const inUnits = trueUnits.reduce<bigint>((sum, units) => sum + (units ?? 0n), 0n)
    const outUnits = read.outputs.reduce((sum, { units }) => sum + units, 0n)
    return {
      network,
      uses: read.inputs.map(coinName),
      pays: read.outputs
        .filter(({ address }) => !isOwn(network, address, plan))
        .flatMap(
          ({ address, units }) =>
            paidBy(network, nativeOf(wallet.network(network).assets).currency, address, units) ?? [],
        ),
      feeUnits: inUnits - outUnits,
      unpaid: read.outputs.every(({ address }) => isOwn(network, address, plan))
        ? unpaidOfCoins(network, read)
        : null,
    }
  }

  function ofAccount(
    network: string,
    plan: SpendPlan,
    read: ReadTransaction & { kind: 'account' },
  ): Mineable {
    const { assets } = wallet.network(network)
    const currency = assets.find(({ contractAddress }) => contractAddress === read.contractAddress)?.currency
    const isOurs = isOwn(network, read.to.address, plan)
    return {
      network,
      uses: [`${network} ${read.from} ${read.nonce}`],
      pays: isOurs
        ? []
        : [paidBy(network, currency ?? 'a stranger’s token', read.to.address, read.units) ?? []].flat(),
      feeUnits: read.gasLimit * read.gasPrice,
      unpaid: isOurs ? unpaidOf(network, read) : null,
    }
  }

  function unpaidOfCoins(network: string, { outputs }: ReadTransaction & { kind: 'coins' }): Unpaid {
    return outputs.some(({ address }) => isCold(network, address)) ? 'cold' : 'consolidation'
  }

  function unpaidOf(network: string, { from, to }: ReadTransaction & { kind: 'account' }): Unpaid {
    const hot = wallet.addressAt(network, hotKey)
    if (isCold(network, to.address)) return 'cold'
    if (to.address !== hot) return 'gas'
    return from === hot ? 'fill or cancellation' : 'sweep'
  }

  return {
    problems,
    /** The amounts that were approved. */
    approved: () => [...approved.values()].map(({ units }) => units),
    /** How many transactions could be mined. */
    count: () => mineable.size,

    approve({ id, network, currency, destination, amountUnits }: Payout): void {
      approved.set(`${network} ${currency} ${destination} ${amountUnits}`, {
        id,
        units: amountUnits,
        network,
        currency,
      })
    },

    exists(coin: Coin): void {
      coins.set(coinName(coin), coin.units)
    },

    /** Takes note of a signature. The signer may still keep it, but it exists. */
    take(network: string, plan: SpendPlan, { bytes }: SignedTransaction): void {
      const read = wallet.network(network).family.read(bytes)
      if ('refused' in read) {
        problems.push(`signed bytes cannot be read: ${read.refused}`)
        return
      }
      const found = read.kind === 'coins' ? ofCoins(network, plan, read) : ofAccount(network, plan, read)
      if (found === null) return
      if (found.feeUnits > ceilingOf(limits.maxFees, network))
        problems.push(`${read.hash} gives ${found.feeUnits} to the miners of ${network}`)
      mineable.set(`${network} ${read.hash}`, found)
    },

    /** Looks at everything together. Returns all problems so far. */
    conclude(): string[] {
      const all = [...mineable.values()]
      for (const { id } of approved.values()) {
        const paying = all.filter(({ pays }) => pays.includes(id))
        for (const [at, one] of paying.entries())
          for (const other of paying.slice(at + 1))
            if (!one.uses.some((use) => other.uses.includes(use)))
              problems.push(`two transactions that could both be mined pay payout ${id}`)
      }
      for (const network of new Set(all.map((each) => each.network)))
        for (const kind of Object.keys(limitsOfUnpaid) as Unpaid[]) {
          const burnt = feesOn(
            network,
            all.filter(({ unpaid }) => unpaid === kind),
          )
          if (burnt > limitsOfUnpaid[kind] * ceilingOf(limits.maxFeesPerDay, network))
            problems.push(`fees of ${burnt} on ${network} for ${kind}, over the limit`)
        }
      for (const limit of limits.spending) {
        const ids = new Set(all.flatMap(({ pays }) => pays))
        const paid = [...approved.values()]
          .filter(
            ({ id, network, currency }) =>
              ids.has(id) && network === limit.network && currency === limit.currency,
          )
          .reduce((sum, { units }) => sum + units, 0n)
        const isNative = nativeOf(wallet.network(limit.network).assets).currency === limit.currency
        const left = paid + (isNative ? feesOn(limit.network, all) : 0n)
        if (limit.perDayUnits !== null && left > limit.perDayUnits)
          problems.push(`${left} ${limit.currency} left on ${limit.network} in a day, over the limit`)
      }
      return [...new Set(problems)]
    },
  }
}

/** What these transactions cost at most: of those that rule each other out, the dearest counts. */
function feesOn(network: string, transactions: readonly Mineable[]): bigint {
  const dearest = new Map<string, bigint>()
  for (const { uses, feeUnits } of transactions.filter((each) => each.network === network)) {
    const name = `${uses[0]}`
    if (feeUnits > (dearest.get(name) ?? 0n)) dearest.set(name, feeUnits)
  }
  return [...dearest.values()].reduce((sum, fee) => sum + fee, 0n)
}

export type Judge = ReturnType<typeof createJudge>

function coinName({
  txHash,
  outputIndex,
}: {
  readonly txHash: string
  readonly outputIndex: number
}): string {
  return `${txHash}:${outputIndex}`
}
