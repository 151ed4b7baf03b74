import { Command } from 'commander'
import { addAudit } from './audit.ts'
import { addDemo } from './demo.ts'
import { addGateCommands } from './gates.ts'
import { addKeyCommands } from './keys.ts'
import { addMerchantCommands } from './merchants.ts'
import { addMigrate } from './migrate.ts'
import { addPasskeyCommands } from './passkeys.ts'
import { addPayoutCommands } from './payouts.ts'
import { addStart } from './start.ts'
import { addSuspenseCommands } from './suspense.ts'
import type { Tools } from './tools.ts'
import { addUserCommands } from './users.ts'
import { addWalletCommands } from './wallet.ts'
import { addWebhookCommands } from './webhooks.ts'

/** The `sluice` command with everything it can do. */
export function buildProgram(tools: Tools): Command {
  const program = new Command('sluice')
    .description('Accept cryptocurrency and send it, on your own machine.')
    .version(tools.version, '--version', 'show the version')
    .option('--json', 'answer with one line of JSON on standard output')
    .showHelpAfterError('Run the command with --help to see what it takes.')
    .addHelpText(
      'after',
      `
Settings come from the environment: HOST, PORT, SLUICE_DATA_DIR, DATABASE_URL, REDIS_URL, SLUICE_CONFIG, …
Without DATABASE_URL everything lives in ./data, with a PostgreSQL of its own.

First steps:
  $ npx sluice start                                  the service, with a demo merchant the first time
  $ npx sluice demo                                   its key and login, again
  $ npx sluice merchant create --name "My shop"
  $ npx sluice key create --merchant ID --environment test --permissions all`,
    )
  addStart(program, tools)
  addDemo(program, tools)
  addMigrate(program, tools)
  addMerchantCommands(program, tools)
  addUserCommands(program, tools)
  addKeyCommands(program, tools)
  addGateCommands(program, tools)
  addAudit(program, tools)
  addWebhookCommands(program, tools)
  addPayoutCommands(program, tools)
  addSuspenseCommands(program, tools)
  addWalletCommands(program, tools)
  addPasskeyCommands(program, tools)
  return program
}
