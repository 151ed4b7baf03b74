import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readStatus } from '../backup/status.ts'
import type { Processes, ServiceRole } from '../cli/tools.ts'
import type { Log } from '../log.ts'
import { prepareDataDir } from '../postgres/place.ts'
import { restartDelayMs } from '../postgres/supervise.ts'
import type { Settings } from '../settings/settings.ts'
import type { ProcessRole } from '../wire.ts'
import { askedIn } from './ask-deriver.ts'
import { checkPlaces } from './check-places.ts'
import { Closers } from './closers.ts'
import { isFarFromMoney, keepDemo } from './demo-file.ts'
import type { DeriveAnswer, DeriverOrders } from './deriver-process.ts'
import {
  checkWalletPlace,
  nodeFlags,
  processEnv,
  startAgainCode,
  type User,
  walletFolder,
} from './isolation.ts'
import { type KeptDeriver, keepDeriver } from './keep-deriver.ts'
import { chooseServiceUser, chooseSignerUser } from './own-users.ts'
import type { News, Orders, Ready } from './role-process.ts'
import { openSupplies } from './supplies.ts'

// Beside this file, as a source or in the bundle.
const suffix = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const program = fileURLToPath(new URL(`./role-process.${suffix}`, import.meta.url))
const deriverProgram = fileURLToPath(new URL(`./deriver-process.${suffix}`, import.meta.url))
/** A signer that ran this long was healthy: the next failure counts as the first again. */
const steadyMs = 30_000

/** Backups are taken by another command, which notes them in the data folder. */
const backupNewsMs = 30_000

/** A process ended unexpectedly. It has reported the reason itself. */
class ProcessError extends Error {
  override readonly name = 'ProcessError'
}

export type StartOptions = {
  /** Whether the pages are there, once they have been built. */
  readonly pages?: Promise<boolean>
  readonly isDemoAsked?: boolean
}

/**
 * Runs a role as separate processes, because their rights differ: only the signer can open the wallet. Returns when all
 * are ready. A signer that ends on its own is restarted. The service waits for `pages` that are still being built.
 */
export async function startProcesses(
  settings: Settings,
  role: ServiceRole,
  log: Log,
  { pages = Promise.resolve(true), isDemoAsked = false }: StartOptions = {},
): Promise<Processes> {
  const hasSigner = role === 'all' || role === 'signer'
  await checkWalletPlace(settings, process.env)
  await checkPlaces(settings, role)
  const firstStart = hasSigner && !existsSync(walletFolder(settings))
  // Node gets the folder by name, and recognises it as a folder only if it exists.
  if (hasSigner) await prepareDataDir(settings.dataDir)
  // The processes load their code while the database starts.
  const signer = hasSigner ? keepSigner(settings, log) : null
  const service = role === 'signer' ? null : startProcess(role === 'all' ? 'service' : role, settings)
  let user: User | null = null
  const deriver = service === null ? null : keepDeriver({ start: () => startDeriver(settings, user), log })
  if (deriver !== null) service?.serve(deriver)
  const database = new Closers()
  let news: NodeJS.Timeout | undefined
  const tellBackups = async () => service?.tell({ backups: await readStatus(settings.dataDir) })
  const stop = async (): Promise<void> => {
    clearInterval(news)
    await service?.stop()
    await deriver?.stop()
    await signer?.stop()
    await database.close()
  }
  try {
    const supplies = await openSupplies(settings, 'service', log, database)
    user = service === null ? null : await chooseServiceUser(settings, supplies, log)
    const signerUser = signer === null ? null : await chooseSignerUser(settings, supplies, log)
    // Beside other processes, the signer leaves the metrics port to them.
    const signerReady = signer?.begin({
      supplies,
      metrics: role === 'signer',
      user: signerUser,
      walletPassphrase: settings.walletPassphrase?.() ?? null,
      mayDemo: false,
    })
    // It is awaited further below. Until then, an unhandled rejection would end this process.
    signerReady?.catch(() => {})
    // Without the wallet's public keys there would be no gates yet when the API first answers.
    if (firstStart) await signerReady
    if (service !== null && !(await pages))
      throw new ProcessError('The pages were not built, so nothing was started. The lines above say why.')
    const mayDemo = isDemoAsked || isFarFromMoney(settings)
    const serviceReady = service?.begin({ supplies, metrics: true, user, walletPassphrase: null, mayDemo })
    if (service !== null) {
      await tellBackups()
      news = setInterval(() => void tellBackups(), backupNewsMs).unref()
    }
    const [signing, serving] = await Promise.all([signerReady, serviceReady])
    const { url, demo, isEmpty } = serving ?? signing ?? { url: null, demo: null, isEmpty: false }
    if (settings.databaseUrl === null) await keepDemo(settings, demo)
    const hurry = () => service?.hurry()
    return { url, demo, isEmpty, ended: service?.ended ?? new Promise(() => {}), stop, hurry }
  } catch (error) {
    await stop()
    throw error
  }
}

type RoleProcess = {
  /** Resolves with the exit code. */
  readonly ended: Promise<number>
  /** Lets the process begin. Returns when it is ready and throws if it ends before that. */
  begin(orders: Orders): Promise<Ready>
  tell(news: News): void
  /** Passes on what it asks of the deriver. */
  serve(deriver: KeptDeriver): void
  /** Tells it to stop and waits until it has ended. */
  stop(): Promise<void>
  /** Tells it to wait for no caller while it stops. */
  hurry(): void
}

function startProcess(role: ProcessRole, settings: Settings): RoleProcess {
  const part = role === 'signer' ? 'signer' : 'service'
  const child: ChildProcess = spawn(
    process.execPath,
    [...nodeFlags(part, settings, process.env), program, role],
    {
      env: processEnv(part, process.env),
      // The channel also tells the process when we are gone. It carries the database password and keys: a command line
      // is public.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    },
  )
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })
  let begun = false
  return {
    ended,
    async begin(orders) {
      begun = true
      const ready = new Promise<Ready>((resolve) =>
        child.on('message', (message: unknown) => {
          if (askedIn(message) === null) resolve(message as Ready)
        }),
      )
      tell(child, orders)
      const first = await Promise.race([ready, ended])
      if (typeof first !== 'number') return first
      throw new ProcessError(`The process "${role}" ended with code ${first} before it was ready.`)
    },
    tell: (news) => tell(child, news),
    serve(deriver) {
      child.on('message', (message: unknown) => {
        const asked = askedIn(message)
        if (asked === null) return
        if ('derive' in asked) deriver.ask(asked, (answer) => tell(child, answer))
        else deriver.distrust(asked.distrust)
      })
    },
    async stop() {
      if (begun) tell(child, 'stop')
      else child.kill('SIGKILL')
      await ended
    },
    hurry: () => tell(child, 'hurry'),
  }
}

/** The service may start no process itself, so the supervisor starts the deriver, and passes on what the two say. */
export function startDeriver(settings: Settings, user: User | null): ChildProcess {
  const child = spawn(process.execPath, [...nodeFlags('deriver', settings, process.env), deriverProgram], {
    env: processEnv('deriver', process.env),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  const orders: DeriverOrders = { user }
  child.send(orders, () => {})
  return child
}

/** A process that is gone cannot be told anything; `ended` reports it. */
function tell(child: ChildProcess, message: Orders | News | DeriveAnswer | 'stop' | 'hurry'): void {
  if (child.connected) child.send(message, () => {})
}

/** A signer that is restarted, after growing delays, whenever it ends on its own. */
function keepSigner(settings: Settings, log: Log): Pick<RoleProcess, 'begin' | 'stop'> {
  const stopping = new AbortController()
  let signer = startProcess('signer', settings)
  let watching: Promise<void> | null = null

  async function watch(orders: Orders): Promise<void> {
    for (let failures = 0; ; failures++) {
      const startedAt = performance.now()
      const code = await signer.ended
      if (stopping.signal.aborted) return
      if (performance.now() - startedAt > steadyMs || code === startAgainCode) failures = 0
      if (code === startAgainCode) log.info('the signer starts again to open a new wallet')
      else log.error({ code }, 'THE SIGNER ENDED ON ITS OWN: nothing is signed until it runs again')
      await sleep(restartDelayMs(failures), null, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      signer = startProcess('signer', settings)
      signer.begin(orders).then(
        () => log.info('the signer runs again'),
        () => {},
      )
    }
  }

  return {
    async begin(orders) {
      const ready = await signer.begin(orders)
      watching = watch(orders)
      return ready
    },
    async stop() {
      stopping.abort()
      await signer.stop()
      await watching
    },
  }
}
