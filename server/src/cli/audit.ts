import type { Command } from 'commander'
import { auditBooks } from '../app/audit/audit-books.ts'
import { runOnApp, withJson } from './answer.ts'
import type { Tools } from './tools.ts'

export function addAudit(program: Command, tools: Tools): void {
  withJson(program.command('audit'))
    .description('check every invariant of the books; exit code 1 on any difference')
    .addHelpText(
      'after',
      `
Recomputes ledger, balances, invoices, totals and deposit addresses from what they are made of, and changes nothing.
It reads one snapshot, so it may run while the service does.

Example:
  $ npx sluice audit --json
  {"ok":true,"differences":[]}`,
    )
    .action((_options, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const audit = await auditBooks(app)
          if (!audit.ok) process.exitCode = 1
          return audit
        },
        ({ ok, differences }) =>
          ok
            ? 'The books are right: everything that was checked adds up.'
            : [`The books are wrong:`, ...differences.map((difference) => `  ${difference}`)].join('\n'),
      ),
    )
}
