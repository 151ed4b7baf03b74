import { healthOf } from '../../domain/gate-health.ts'
import { formatDecimal } from '../../domain/money.ts'
import type { App } from '../app.ts'
import { listShortfalls } from '../chain/list-shortfalls.ts'
import { listCold } from '../spends/cold/list-cold.ts'
import { listFloats } from '../spends/hot-wallet/list-floats.ts'
import { standingOf } from './list-gates.ts'

/** A job that has failed this often will not recover by itself. */
export const failedOften = 5

export type Figures = Awaited<ReturnType<typeof readFigures>>

/** How a gate stands. Simulated gates have no node, so they are never behind. */
export type GateFigure = {
  readonly gateId: string
  readonly isOnline: boolean
  readonly isHalted: boolean
  readonly behind: bigint
  /** Since its follower last reached the tip of the chain; null before the first time, and for simulated gates. */
  readonly sinceTipSeconds: number | null
  readonly trouble: { readonly kind: string; readonly seconds: number } | null
}

/**
 * What wakes an operator, over all merchants: for alarms, not for the books. Reads one statement after the other, so that it
 * takes one connection of the pool, and calls no node.
 */
export async function readFigures(app: Pick<App, 'store' | 'gates' | 'spending' | 'rates' | 'now'>) {
  const { figures, attention, auditLog } = app.store
  const startedAt = performance.now()
  const database = await figures.database()
  const databaseSeconds = (performance.now() - startedAt) / 1000
  const gates = await readGates(app)
  const { float, free } = await listFloats(app)
  const shortfalls = await listShortfalls(app)
  const cold = await listCold(app)
  const payouts = await figures.payouts()
  const webhooks = await figures.webhooks()
  const suspense = await figures.suspense()
  const suspended = (await figures.suspenseBalances()).map(({ gateId, currency, decimals, units }) => ({
    gateId,
    currency,
    amount: formatDecimal(units, decimals),
  }))
  const jobs = await figures.jobs(failedOften)
  const rates = await figures.rates()
  const undone = await attention.undone()
  const floatsLow = await attention.floatsLow()
  const audit = await auditLog.lastAudit()
  return {
    readAt: app.now(),
    database,
    databaseSeconds,
    gates,
    float,
    free,
    floatsLow,
    shortfalls,
    cold,
    payouts,
    webhooks,
    suspense,
    suspended,
    jobs,
    rates,
    undone: undone.length,
    audit,
  }
}

async function readGates({ store, gates }: Pick<App, 'store' | 'gates'>): Promise<GateFigure[]> {
  const chains = await store.followedChains.list()
  const progress = await store.gateProgress.list()
  const known = new Set([
    ...chains.map(({ gateId }) => gateId),
    ...progress.keys(),
    ...gates.list().map(({ id }) => id),
  ])
  return [...known].sort().map((gateId): GateFigure => {
    const chain = chains.find((each) => each.gateId === gateId)
    const followed = progress.get(gateId) ?? null
    // A process without gates, such as the signer’s, knows of them only what the database says.
    const gate = gates.find(gateId)
    const isSimulated = chain?.chain === 'simulated'
    const inDatabase = isSimulated ? { online: true as const } : healthOf(followed)
    const { status } = standingOf(gate === null ? inDatabase : gates.status(gate.id), chain)
    return {
      gateId,
      isOnline: status === 'online',
      isHalted: status === 'halted',
      behind: followed?.behind ?? 0n,
      sinceTipSeconds: followed?.sinceEndMs == null ? null : followed.sinceEndMs / 1000,
      trouble:
        followed?.trouble == null
          ? null
          : { kind: followed.trouble.kind, seconds: followed.trouble.sinceMs / 1000 },
    }
  })
}
