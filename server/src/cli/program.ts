import { Command } from 'commander'
import { tellFailuresAsJson } from './answer.ts'
import { addAudit } from './audit.ts'
import { addBackupCommands } from './backup.ts'
import { addDemo } from './demo.ts'
import { addClock } from './developer/clock.ts'
import { addCompletion } from './developer/completion.ts'
import { addEventCommands } from './developer/events.ts'
import { addInvoiceCommands } from './developer/invoices.ts'
import { addListen } from './developer/listen.ts'
import { addTrigger } from './developer/trigger.ts'
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

/** The `sluice` command with all its subcommands, for these arguments. */
export function buildProgram(tools: Tools, argv: readonly string[]): Command {
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
  $ npx sluice key create --merchant ID --environment test --permissions all

For developers, over the API with a key (SLUICE_URL, SLUICE_API_KEY): listen, trigger, events, invoice, webhook
  $ npx sluice listen --forward http://localhost:3000/hooks`,
    )
  tellUsageErrors(program, asksForJson(argv))
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
  addListen(program, tools)
  addTrigger(program, tools)
  addClock(program, tools)
  addEventCommands(program, tools)
  addInvoiceCommands(program, tools)
  addCompletion(program)
  return program
}

/** Whether the arguments ask for JSON, read before anything can be wrong with them. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json')
}

/** With `--json`, wrong arguments are told as every other failure is. Subcommands made from here on do the same. */
function tellUsageErrors(program: Command, inJson: boolean): void {
  tellFailuresAsJson(inJson)
  if (!inJson) return
  program.showHelpAfterError(false).configureOutput({
    outputError(text, write) {
      const message = text.trim().replace(/^error: /, '')
      write(`${JSON.stringify({ error: { code: 'usage', message } })}\n`)
    },
  })
}
