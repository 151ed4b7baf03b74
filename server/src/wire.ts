import type { App } from './app/app.ts'
import type { BackupStatus } from './backup/status.ts'
import type { ServiceRole } from './cli/tools.ts'
import { createMetrics } from './http/metrics.ts'
import type { Log } from './log.ts'
import type { Settings } from './settings/settings.ts'
import { noTracing } from './tracing/tracer.ts'
import { openApp, openAppWith } from './wire/app.ts'
import type { AskedDeriver } from './wire/ask-deriver.ts'
import { addBackupMetrics } from './wire/backup-metrics.ts'
import { Closers } from './wire/closers.ts'
import { fillFirst } from './wire/gates.ts'
import { serveMetrics } from './wire/metrics.ts'
import type { Supplies } from './wire/supplies.ts'

export type Service = {
  readonly app: App
  readonly url: string | null
  stop(): Promise<void>
  /** Makes a stop, begun or not, wait for no caller. */
  hurry(): void
}

/**
 * What one process runs. `sluice start` runs two: `signer`, and `service`, which is all the rest. Tests run all in one.
 */
export type ProcessRole = ServiceRole | 'service'

/** Starts the requested roles in this process and returns when they are ready. */
export async function startService(
  settings: Settings,
  role: ProcessRole,
  log: Log,
  given: {
    supplies?: Supplies
    metrics?: boolean
    page?: URL
    startAgain?: () => never
    backups?: () => BackupStatus
    deriver?: AskedDeriver
  } = {},
): Promise<Service> {
  const closers = new Closers()
  const hurry = new AbortController()
  try {
    // Closed last, so that it sends what the others do while they stop.
    const traces = await openTraces(settings, role, log, closers)
    const only = {
      tracer: traces?.tracer ?? noTracing,
      hasReplica: runs(role, 'api'),
      ...(given.deriver && { deriver: given.deriver }),
    }
    const { startApi, startWorker, startSigner } = await loadCode(role)
    const opened =
      given.supplies === undefined
        ? await openApp(settings, 'service', log, closers, only)
        : await openAppWith(given.supplies, settings, log, closers, only)
    const { app, gates, origin } = opened
    const metrics = createMetrics()
    traces?.addMetrics(metrics)
    if (given.metrics !== false) {
      addBackupMetrics(metrics, given.backups ?? (() => ({})))
      await serveMetrics(settings, metrics, opened, log, closers)
    }
    await startSigner?.(settings, opened, log, closers, given.startAgain)
    if (startApi !== undefined || startWorker !== undefined) {
      await gates.open(closers)
      await fillFirst(app, gates.keychains())
    }
    const api = new Closers()
    closers.add(() => api.close())
    const listening =
      (await startApi?.(settings, {
        ...opened,
        metrics,
        log,
        closers: api,
        hurry: hurry.signal,
        ...(given.page !== undefined && { page: given.page }),
      })) ?? null
    if (listening !== null && settings.publicUrl === null) origin.url = listening
    startWorker?.(settings, opened, log, closers)
    // Close the API again, before the worker: the worker may take a while to stop, and no new request should begin
    // meanwhile.
    closers.add(() => api.close())
    return { app, url: listening, stop: () => closers.close(), hurry: () => hurry.abort() }
  } catch (error) {
    await closers.close().catch((failure: unknown) => log.error({ err: failure }, 'shutdown failed'))
    throw error
  }
}

/** Null without a collector. The signer never has one: it talks to its database and to no one else. */
async function openTraces({ tracing }: Settings, role: ProcessRole, log: Log, closers: Closers) {
  if (tracing === null || role === 'signer') return null
  const { assembleTraces } = await import('./wire/traces.ts')
  return assembleTraces(tracing, role, log, closers)
}

/** Loads only the code that a role runs, so that the signer loads the least code. */
export async function loadCode(role: ProcessRole) {
  const [api, worker, signer] = await Promise.all([
    runs(role, 'api') ? import('./wire/api.ts') : null,
    runs(role, 'worker') ? import('./wire/worker.ts') : null,
    runs(role, 'signer') ? import('./wire/signer.ts') : null,
  ])
  return {
    startApi: api?.startApi,
    startWorker: worker?.startWorker,
    startSigner: signer?.startSigner,
  }
}

function runs(role: ProcessRole, part: 'api' | 'worker' | 'signer'): boolean {
  return role === 'all' || role === part || (role === 'service' && part !== 'signer')
}
