import type { App } from '../app/app.ts'
import type { Log } from '../log.ts'
import type { Settings } from '../settings.ts'

export const serviceRoles = ['all', 'api', 'worker', 'signer'] as const
export type ServiceRole = (typeof serviceRoles)[number]

/** What the commands need of the rest of the house. */
export type Tools = {
  readSettings(): Settings
  createLog(level: string): Log
  startService(
    settings: Settings,
    role: ServiceRole,
    log: Log,
  ): Promise<{ app: App; url: string | null; stop(): Promise<void> }>
  /** Opens the database, runs `work` and closes it again; works whether or not the service is running. */
  withApp<T>(settings: Settings, log: Log, work: (app: App) => Promise<T>): Promise<T>
}
