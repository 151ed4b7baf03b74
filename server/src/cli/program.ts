import { Command } from 'commander'
import { addAudit } from './audit.ts'
import { addBackupCommands } from './backup.ts'
import { addDemo } from './demo.ts'
import { addDoctor } from './doctor.ts'
import { addGateCommands } from './gates.ts'
import { addKeyCommands } from './keys.ts'
import { addMerchantCommands } from './merchants.ts'
import { addMigrate } from './migrate.ts'
import { addPasskeyCommands } from './passkeys.ts'
import { addPayoutCommands } from './payouts.ts'
import { addRestore } from './restore.ts'
import { addSignerCommands } from './signer.ts'
import { addStart } from './start.ts'
import { addSuspenseCommands } from './suspense.ts'
import type { Tools } from './tools.ts'
import { addUserCommands } from './users.ts'
import { addWalletCommands } from './wallet.ts'
import { addWebhookCommands } from './webhooks.ts'

/** The `sluice` command with all its subcommands. */
export function buildProgram(tools: Tools): Command {
  const program = new Command('sluice')
    .description('Accept and send cryptocurrency on your own machine.')
    .version(tools.version, '--version', 'show the version')
    .option('--json', 'print the result as one line of JSON')
    .showHelpAfterError('Run the command with --help to see its options.')
    .addHelpText(
      'after',
      `
Settings come from the environment: HOST, PORT, SLUICE_DATA_DIR, DATABASE_URL, REDIS_URL, SLUICE_CONFIG, …
Without DATABASE_URL everything is kept in ./data, with an embedded PostgreSQL.

First steps:
  $ npx sluice start                                  run the service; the first start creates a demo merchant
  $ npx sluice demo                                   show the demo merchant’s key and login
  $ npx sluice merchant create --name "My shop"
  $ npx sluice key create --merchant ID --environment test --permissions all`,
    )
  addStart(program, tools)
  addDemo(program, tools)
  addMigrate(program, tools)
  addDoctor(program, tools)
  addMerchantCommands(program, tools)
  addUserCommands(program, tools)
  addKeyCommands(program, tools)
  addGateCommands(program, tools)
  addAudit(program, tools)
  addBackupCommands(program, tools)
  addRestore(program, tools)
  addWebhookCommands(program, tools)
  addPayoutCommands(program, tools)
  addSuspenseCommands(program, tools)
  addWalletCommands(program, tools)
  addPasskeyCommands(program, tools)
  addSignerCommands(program, tools)
  return program
}
