import { Command } from 'commander'
import type { Logger } from 'pino'
import type { App } from '../app/app.ts'
import type { Settings } from '../settings.ts'
import { addKeyCommands } from './keys.ts'
import { addMerchantCommands } from './merchants.ts'
import { addMigrate } from './migrate.ts'
import { addStart } from './start.ts'

export const serviceRoles = ['all', 'api', 'worker'] as const
export type ServiceRole = (typeof serviceRoles)[number]

/** What the commands need of the rest of the house. */
export type Tools = {
  readSettings(): Settings
  createLog(level: string): Logger
  startService(
    settings: Settings,
    role: ServiceRole,
    log: Logger,
  ): Promise<{ app: App; url: string | null; stop(): Promise<void> }>
  /** Opens the database, runs `work` and closes it again; works whether or not the service is running. */
  withApp<T>(settings: Settings, log: Logger, work: (app: App) => Promise<T>): Promise<T>
}

/** The `sluice` command with everything it can do. */
export function buildProgram(tools: Tools): Command {
  const program = new Command('sluice')
    .description('Accept cryptocurrency and send it, on your own machine.')
    .option('--json', 'answer with one line of JSON on standard output')
    .showHelpAfterError('Run the command with --help to see what it takes.')
    .addHelpText(
      'after',
      `
Settings come from the environment: HOST, PORT, SLUICE_DATA_DIR, DATABASE_URL, REDIS_URL, SLUICE_CONFIG, …
Without DATABASE_URL everything lives in ./data, with a PostgreSQL of its own.

First steps:
  $ npx sluice start                                  the service, with a demo merchant the first time
  $ npx sluice merchant create --name "My shop"
  $ npx sluice key create --merchant ID --environment test --permissions all`,
    )
  addStart(program, tools)
  addMigrate(program, tools)
  addMerchantCommands(program, tools)
  addKeyCommands(program, tools)
  return program
}
