import type { App } from './app/app.ts'
import { buildProgram } from './cli/program.ts'
import type { ServiceRole } from './cli/tools.ts'
import { createLog, type Log } from './log.ts'
import { createLogLines } from './log-lines.ts'
import { readSettings, type Settings } from './settings.ts'
import { fillAddresses } from './signer/fill-addresses.ts'
import { openTestWallet } from './signer/test-wallet.ts'
import { startApi } from './wire/api.ts'
import { openApp } from './wire/app.ts'
import { Closers } from './wire/closers.ts'
import { fillFirst } from './wire/gates.ts'
import { startMetrics } from './wire/metrics.ts'
import { startWorker } from './wire/worker.ts'
import { startLoop } from './worker/loop.ts'

const seedPoolCheckMs = 1_000

export type Service = { readonly app: App; readonly url: string | null; stop(): Promise<void> }

/** Starts the roles asked for and returns when they are ready. */
export async function startService(settings: Settings, role: ServiceRole, log: Log): Promise<Service> {
  const closers = new Closers()
  const runs = (part: ServiceRole) => role === 'all' || role === part
  try {
    const opened = await openApp(settings, 'service', log, closers)
    const { app, gates, origin } = opened
    const metrics = await startMetrics(settings, opened.database, log, closers)
    if (runs('signer')) await startSigner(settings, app, log, closers)
    if (runs('worker') || runs('api')) {
      await gates.open(closers)
      await fillFirst(app.store, gates.keychains())
    }
    const listening = runs('api') ? await startApi(settings, { ...opened, metrics, log, closers }) : null
    if (listening !== null && settings.publicUrl === null) origin.url = listening
    if (runs('worker')) startWorker(settings, opened, log, closers)
    return { app, url: listening, stop: () => closers.close() }
  } catch (error) {
    await closers.close().catch((failure: unknown) => log.error({ err: failure }, 'shutdown failed'))
    throw error
  }
}

/** Opens or makes the test wallet, and then keeps making what only its seed can make. */
async function startSigner(settings: Settings, app: App, log: Log, closers: Closers): Promise<void> {
  const wallet = await openTestWallet(app, { dataDir: settings.dataDir, log })
  if (wallet === null) return
  const loop = startLoop({
    everyMs: seedPoolCheckMs,
    step: async (signal) => {
      const added = await fillAddresses(app, wallet, { signal })
      if (added > 0) log.debug({ added }, 'deposit addresses made from the seed')
    },
    onError: (error) => log.warn({ err: error }, 'deposit addresses could not be made from the seed'),
  })
  closers.add(() => loop.stop())
}

/** The command line: what `npx sluice` runs. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = buildProgram({
    readSettings: () => readSettings(process.env),
    // Standard output belongs to what the command answers.
    createLog: (level) => createLog(level, createLogLines(process.stderr.fd)),
    startService,
    async withApp(settings, log, work) {
      const closers = new Closers()
      try {
        const { app, gates } = await openApp(settings, 'command', log, closers)
        await gates.load()
        return await work(app)
      } finally {
        await closers.close()
      }
    },
  })
  await program.parseAsync(argv)
}
