import { randomOf } from '../simulation/random.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { createDepositAdversary, depositTables } from './deposit-adversary.ts'
import { createDepositJudge, type Unbacked } from './deposit-judge.ts'
import { type DepositNetwork, newChain, openDepositStage } from './deposit-stage.ts'
import { keepTables } from './prepared.ts'
import { openRows, type Role } from './rows.ts'

/** Besides what the attacker changes, everything that the service writes when it credits a deposit. */
const written = [
  'audits',
  'balance_shortfalls',
  'daily_fees',
  'daily_invoices',
  'daily_sums',
  'events',
  'gate_progress',
  'gates_behind',
  'hot_balances',
  'ledger_entries',
  'ledger_numbers',
  'list_buckets',
  'list_counts',
  'list_totals',
  'merchant_totals',
  'webhook_deliveries',
]

export type DepositOutcome = {
  /** Credits that no deposit backs, of which the operator learns nothing. */
  readonly problems: readonly string[]
  /** How many credits no deposit backs, of which the operator does learn. */
  readonly alarmed: number
  /** How many are of the kind that docs/security.md names as not defended. */
  readonly undefended: number
  readonly done: readonly string[]
  readonly failures: readonly string[]
  /** What the audit says, if it was asked. */
  readonly differences: readonly string[]
}

/** Nodes are asked about coins and native balances, not about the tokens at every address. */
function isUndefended({ isInvented, isToken }: Unbacked): boolean {
  return isInvented && isToken
}

/** A service that credits deposits, on a database that an attacker changes between any two steps. */
export async function openDepositSiege(role: Role) {
  const database = await createTestDatabase()
  const stage = await openDepositStage(database)
  const asked = await stage.open()
  const kept = await keepTables(database.url, [...Object.keys(depositTables), ...written])
  const rows = await openRows(database, role)
  const judge = createDepositJudge(stage)

  async function run(
    seed: number,
    { attacks = 1 + (seed % 2), audits = false } = {},
  ): Promise<DepositOutcome> {
    const random = randomOf(seed)
    await kept.restore([], [])
    const chains = { bitcoin: newChain('bitcoin'), ethereum: newChain('ethereum') }
    const service = stage.start(chains)
    const pay = (network: DepositNetwork, address: string, currency: string, units: bigint): string => {
      const hash = random.bytes(32).toString('hex')
      chains[network].submit(hash, hash, 1n, [{ address, tag: null, currency, units }])
      return hash
    }
    const adversary = createDepositAdversary(rows, asked, pay)
    const [done, failures]: [string[], string[]] = [[], []]
    let left = attacks
    const maybeAttack = async () => {
      if (left <= 0 || random.bool(0.4)) return
      left--
      done.push(await adversary.act(random))
    }
    // Payments are seen in the mempool or in a block, and are deep enough later. Balances are compared at the next block.
    for (const blocks of [random.below(2), 15, 1]) {
      await maybeAttack()
      const to = asked[random.below(asked.length)]
      if (to !== undefined) pay(to.network, to.address, to.currency, to.units)
      if (blocks > 0) for (const chain of Object.values(chains)) chain.mine(blocks, 100)
      failures.push(...(await service.work()))
    }
    if (attacks > 0 && random.bool(0.5)) await adversary.cover()
    await service.checkAddresses()
    const isAmiss = (await judge.unbacked(database.url, chains)).length > 0
    if (isAmiss && service.alarms.length === 0) {
      for (const chain of Object.values(chains)) chain.mine(1, 100)
      failures.push(...(await service.work()))
    }
    const unbacked = await judge.unbacked(database.url, chains)
    const isQuiet = service.alarms.length === 0
    const audit = audits || (unbacked.length > 0 && isQuiet) ? await service.audit() : null
    const differences = audit?.differences ?? []
    const isAlarmed = !isQuiet || differences.length > 0
    const problems = isAlarmed ? [] : unbacked.filter((each) => !isUndefended(each))
    return {
      problems: problems.map(({ text }) => text),
      alarmed: isAlarmed ? unbacked.length : 0,
      undefended: isAlarmed ? 0 : unbacked.length - problems.length,
      done,
      failures,
      differences,
    }
  }

  return {
    run,
    counts: rows.counts,
    async close() {
      await rows.close()
      await kept.close()
      await stage.close()
      await database.drop()
    },
  }
}
