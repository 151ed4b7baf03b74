import type { Payout } from '../../src/domain/payouts.ts'
import { ceilingOf, isBounded } from '../../src/domain/spending-limits.ts'
import { type Coin, hotKey, type SignedTransaction, type SpendPlan } from '../../src/domain/spends.ts'
import type { ReadTransaction } from '../../src/gates/family.ts'
import { nativeOf } from '../../src/gates/gate.ts'
import type { Wallet } from '../../src/signer/wallet.ts'
import type { Holder } from '../support/people/passkey-desk.ts'
import type { Belief } from './belief.ts'
import { solanaEffect } from './solana-judge.ts'

/** A transaction that the network would accept, as its bytes say. */
type Mineable = {
  readonly network: string
  /** Of transactions that share one of these, the dearest fee counts. */
  readonly uses: readonly string[]
  /** Transactions that share one of these rule each other out. */
  readonly excludes: readonly string[]
  /** The approved payouts that it pays. */
  readonly pays: readonly Approved[]
  readonly feeUnits: bigint
  /** What it is for, as its bytes say, where no payout pays its fee. */
  readonly unpaid: Unpaid | null
}

/** A payout, and which people approved it when. */
type Approved = {
  readonly payout: Payout
  readonly people: Map<Holder, number>
}

/** What a transaction has added to the total that left. */
type Left = {
  readonly network: string
  readonly currency: string
  readonly units: bigint
  readonly atMs: number
  readonly feeOf: Unpaid | null
}

/** Each has a daily limit of fees. A fill and a cancellation look alike on the chain. */
type Unpaid = 'sweep' | 'gas' | 'consolidation' | 'cold' | 'nonce' | 'fill or cancellation'
const limitsOfUnpaid: Readonly<Record<Unpaid, bigint>> = {
  sweep: 1n,
  gas: 1n,
  consolidation: 1n,
  cold: 1n,
  nonce: 1n,
  'fill or cancellation': 2n,
}
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Knows what trusted people approved and said and what is on the chain, and judges every signature by its bytes alone. The
 * database is never asked.
 */
export function createJudge(wallet: Wallet, belief: Belief, now: () => number) {
  const approved = new Map<string, Approved>()
  const coins = new Map<string, bigint>()
  /** By transaction, the inputs that have a valid witness. Those of several signing rounds can be combined. */
  const witnessed = new Map<string, Set<number>>()
  const mineable = new Map<string, Mineable>()
  const dearest = new Map<string, bigint>()
  const left: Left[] = []
  const problems: string[] = []

  /** Whether this is the operator's cold wallet under all settings that count. */
  function isCold(network: string, address: string | null): boolean {
    return (
      address !== null &&
      belief.settingsAt(now()).every(({ cold }) => cold.get(`${network}-live`) === address)
    )
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
  function paidBy(network: string, currency: string, to: string | null, units: bigint): Approved[] {
    const found = approved.get(`${network} ${currency} ${to} ${units}`)
    if (found === undefined) {
      problems.push(`${units} ${currency} leave to ${to} on ${network}, which no one approved`)
      return []
    }
    const why = objectionTo(found)
    if (why !== null) problems.push(`payout ${found.payout.id} to ${to} on ${network} ${why}`)
    return [found]
  }

  /** Why this payout may not leave now. */
  function objectionTo({ payout, people }: Approved): string | null {
    const ms = now()
    const required = belief.requiredAt(ms)
    // The attacker approves everything with a passkey that it has.
    const all = new Map(people)
    if (belief.insider !== null) all.set(belief.insider, 0)
    const times = [...all]
      .filter(([person]) => belief.mayTrust(person, ms))
      .map(([, approvedMs]) => approvedMs)
      .sort((a, b) => a - b)
    const last = times[required - 1]
    if (last === undefined) return `has ${times.length} of ${required} approvals`
    const policies = belief.policiesAt(ms)
    const place = { network: payout.network, address: payout.destination, tag: payout.destinationTag }
    if (policies.some((each) => each.onlyKnownDestinations) && !belief.mayPay(place, ms))
      return 'goes to a destination that is not listed'
    const cooling = Math.max(0, ...policies.map((each) => each.coolingOffSeconds)) * 1_000
    const isFirst = [...mineable.values()].every(({ pays }) => pays.every((each) => each.payout !== payout))
    return isFirst && last + cooling > ms ? 'has not cooled off' : null
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
    const { currency } = nativeOf(wallet.network(network).assets)
    const others = read.outputs.filter(({ address }) => !isOwn(network, address, plan))
    return {
      network,
      uses: read.inputs.map(coinName),
      excludes: read.inputs.map(coinName),
      pays: others.flatMap(({ address, units }) => paidBy(network, currency, address, units)),
      feeUnits: inUnits - outUnits,
      unpaid: others.length === 0 ? unpaidOfCoins(network, read) : null,
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
    if (!isOurs && read.from !== wallet.addressAt(network, hotKey))
      problems.push(`${read.hash} pays ${read.to.address} from ${read.from}, which is not the hot wallet`)
    return {
      network,
      uses: [`${network} ${read.from} ${read.nonce}`],
      excludes: [`${network} ${read.from} ${read.nonce}`],
      pays: isOurs ? [] : paidBy(network, currency ?? 'a stranger’s token', read.to.address, read.units),
      feeUnits: read.gasLimit * read.gasPrice,
      unpaid: isOurs ? unpaidOf(network, read) : null,
    }
  }

  function ofSolana(network: string, read: ReadTransaction & { kind: 'solana' }): Mineable {
    const payouts = [...approved.values()].map(({ payout }) => payout)
    const effect = solanaEffect(wallet, read, payouts)
    problems.push(...effect.problems)
    return {
      network,
      uses: [`${network} ${effect.use}`],
      // With the hash of a recent block in place of a nonce's value, the network executes every one that has it.
      excludes: [read.hash],
      pays: effect.paid.flatMap(({ currency, to, units }) => paidBy(network, currency, to, units)),
      feeUnits: effect.feeUnits,
      unpaid: effect.what === 'payout' ? null : effect.what,
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

  function effectOf(network: string, plan: SpendPlan, read: ReadTransaction): Mineable | null {
    if (read.kind === 'solana') return ofSolana(network, read)
    return read.kind === 'coins' ? ofCoins(network, plan, read) : ofAccount(network, plan, read)
  }

  /**
   * Counts what a transaction adds, and returns that. Of those that rule each other out, the dearest counts; a payout
   * counts once.
   */
  function count({ network, uses, pays, feeUnits, unpaid }: Mineable): readonly Left[] {
    const atMs = now()
    const counted = left.length
    // In any order, the same coins rule each other out.
    const name = `${uses.toSorted()[0]}`
    const before = dearest.get(name) ?? 0n
    if (feeUnits > before) {
      dearest.set(name, feeUnits)
      const { currency } = nativeOf(wallet.network(network).assets)
      left.push({ network, currency, units: feeUnits - before, atMs, feeOf: unpaid })
    }
    const known = new Set([...mineable.values()].flatMap((each) => each.pays))
    for (const each of new Set(pays))
      if (!known.has(each)) {
        const { currency, amountUnits } = each.payout
        left.push({ network, currency, units: amountUnits, atMs, feeOf: null })
      }
    return left.slice(counted)
  }

  function leftIn(spanMs: number, isMeant: (left: Left) => boolean): bigint {
    return left
      .filter((each) => each.atMs > now() - spanMs && isMeant(each))
      .reduce((sum, { units }) => sum + units, 0n)
  }

  /** Compares what has left with all limits that count, as far as this transaction adds to it: limits may be lowered later. */
  function checkLimits(
    { network, pays, unpaid, feeUnits }: Mineable,
    added: readonly Left[],
    hash: string,
  ): void {
    for (const { limits } of belief.settingsAt(now())) {
      if (feeUnits > ceilingOf(limits.maxFees, network))
        problems.push(`${hash} gives ${feeUnits} to the miners of ${network}`)
      for (const { payout } of pays)
        if (limits.areRequired && !isBounded(limits.spending, { ...payout, network, environment: 'live' }))
          problems.push(`${payout.currency} leaves on ${network} without any limit`)
      for (const { currency, perHourUnits, perDayUnits, ...limit } of limits.spending) {
        if (!added.some((each) => each.network === limit.network && each.currency === currency)) continue
        const inSpan = (spanMs: number) =>
          leftIn(spanMs, (each) => each.network === limit.network && each.currency === currency)
        if (perDayUnits !== null && inSpan(dayMs) > perDayUnits)
          problems.push(`${inSpan(dayMs)} ${currency} left on ${limit.network} in a day, over the limit`)
        if (perHourUnits !== null && inSpan(hourMs) > perHourUnits)
          problems.push(`${inSpan(hourMs)} ${currency} left on ${limit.network} in an hour, over the limit`)
      }
      if (unpaid === null || !added.some(({ feeOf }) => feeOf !== null)) continue
      const burnt = leftIn(dayMs, (each) => each.network === network && each.feeOf === unpaid)
      if (burnt > limitsOfUnpaid[unpaid] * ceilingOf(limits.maxFeesPerDay, network))
        problems.push(`fees of ${burnt} on ${network} for ${unpaid} in a day, over the limit`)
    }
  }

  return {
    /** The amounts that were approved. */
    approved: () => [...approved.values()].map(({ payout }) => payout.amountUnits),
    /** How many transactions could be mined. */
    count: () => mineable.size,

    approve(payout: Payout, person: Holder): void {
      const { network, currency, destination, amountUnits } = payout
      const name = `${network} ${currency} ${destination} ${amountUnits}`
      const known = approved.get(name) ?? { payout, people: new Map() }
      if (!known.people.has(person)) known.people.set(person, now())
      approved.set(name, known)
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
      const found = effectOf(network, plan, read)
      if (found === null) return
      if (new Set(found.pays).size < found.pays.length) problems.push(`${read.hash} pays a payout twice`)
      const added = count(found)
      mineable.set(`${network} ${read.hash}`, found)
      checkLimits(found, added, read.hash)
    },

    /** Looks at everything together. Returns all problems so far. */
    conclude(): string[] {
      const all = [...mineable.values()]
      for (const payout of approved.values()) {
        const paying = all.filter(({ pays }) => pays.includes(payout))
        for (const [at, one] of paying.entries())
          for (const other of paying.slice(at + 1))
            if (!one.excludes.some((use) => other.excludes.includes(use)))
              problems.push(`two transactions that could both be mined pay payout ${payout.payout.id}`)
      }
      return [...new Set(problems)]
    },
  }
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
