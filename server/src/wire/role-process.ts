/**
 * One process of the service. processes.ts starts it and tells it over a channel when to begin and when to stop. It
 * does not outlive that channel, however the other end goes away.
 */
import { createDemo, type Demo } from '../app/merchants/create-demo.ts'
import type { BackupStatus } from '../backup/status.ts'
import { explaining } from '../cli/answer.ts'
import { readSettings } from '../settings/settings.ts'
import { giveFolder } from '../signer/folder-owner.ts'
import { loadCode, type ProcessRole, startService } from '../wire.ts'
import { askDeriver } from './ask-deriver.ts'
import type { DeriveAnswer } from './deriver-process.ts'
import { becomeUser, startAgainCode, type User, walletFolder } from './isolation.ts'
import { sayLastWords } from './last-words.ts'
import { openLog } from './open-log.ts'
import type { Supplies } from './supplies.ts'

/** The first message to a process; later news of backups follow, and once, `stop`, and after it perhaps `hurry`. */
export type Orders = {
  readonly supplies: Supplies
  readonly metrics: boolean
  /**
   * Opens an encrypted wallet. Sent to the signer only, and never in its environment, which other processes may read.
   */
  readonly walletPassphrase: string | null
  /** Whether a demo merchant may be created if there is no merchant. */
  readonly mayDemo: boolean
  /** The user to become when everything that needs root is done; null: stay the same user. */
  readonly user: User | null
}

/** What the supervisor reads in the data folder, which is closed to API and worker. */
export type News = { readonly backups: BackupStatus }

/** Its answer when it is ready. */
export type Ready = {
  readonly url: string | null
  readonly demo: Demo | null
  /** Whether there is no merchant, so that nothing can be done yet. */
  readonly isEmpty: boolean
}

sayLastWords()
process.once('disconnect', () => process.exit(1))
if (!process.connected) process.exit(1)
// A terminal or a service manager signals every process at once; processes.ts decides in which order they end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

const orders = Promise.withResolvers<Orders>()
const stop = Promise.withResolvers<void>()
const hurry = Promise.withResolvers<void>()
let backups: BackupStatus = {}
const deriver = askDeriver((message) => process.send?.(message))
process.on('message', (message: Orders | News | DeriveAnswer | 'stop' | 'hurry') => {
  if (message === 'stop') stop.resolve()
  else if (message === 'hurry') hurry.resolve()
  else if ('backups' in message) backups = message.backups
  else if ('derived' in message) deriver.answered(message)
  else orders.resolve(message)
})

const role = process.argv[2] as ProcessRole
await explaining(async () => {
  // The database starts meanwhile.
  await loadCode(role)
  const given = await orders.promise
  const settings = readSettings({
    ...process.env,
    SLUICE_WALLET_PASSPHRASE: given.walletPassphrase ?? undefined,
  })
  const log = openLog(settings, settings.logLevel)
  // Root may be needed to read the key file of a wallet that is created later.
  const startAgain = given.user === null ? {} : { startAgain: () => process.exit(startAgainCode) }
  const service = await startService(settings, role, log, {
    ...given,
    ...startAgain,
    backups: () => backups,
    ...(role !== 'signer' && { deriver }),
  })
  void hurry.promise.then(() => service.hurry())
  try {
    if (given.user !== null) {
      if (role === 'signer') await giveFolder(walletFolder(settings), given.user)
      becomeUser(given.user)
    }
    const { url, app } = service
    const demo = given.mayDemo && url !== null ? await createDemo(app) : null
    const isEmpty = demo === null && url !== null && (await app.store.merchants.list()).length === 0
    const ready: Ready = { url, demo, isEmpty }
    process.send?.(ready)
    await stop.promise
  } finally {
    await service.stop()
  }
})
process.exit()
