import { type Command, InvalidArgumentError } from 'commander'
import { auditEverything } from '../app/audit/audit-everything.ts'
import { type AuditHead, operatorChain } from '../domain/audit-log.ts'
import { isUuid } from '../domain/ids.ts'
import { runOnApp, withJson } from './answer.ts'
import type { Tools } from './tools.ts'

export function addAudit(program: Command, tools: Tools): void {
  withJson(program.command('audit'))
    .description('check every invariant of the ledger and the audit log; exit code 1 on any difference')
    .option(
      '--kept <chain:number:hash...>',
      'audit log entries that you keep elsewhere, as --json prints them',
      addKept,
    )
    .addHelpText(
      'after',
      `
Recomputes ledger, balances, invoices, totals and deposit addresses from their sources, verifies every chain of the audit
log, and asks Bitcoin-like nodes which of our coins exist. Writes nothing but the results of that. It reads snapshots, so
the service may keep running.

Example:
  $ npx sluice audit --json
  {"ok":true,"differences":[],"audit_log":[{"chain":"operator","number":1,"hash":"5f0c…"}]}`,
    )
    .action((options: { kept?: AuditHead[] }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const { ok, differences, chains } = await auditEverything(app, options.kept)
          if (!ok) process.exitCode = 1
          return {
            ok,
            differences,
            audit_log: chains.map(({ merchantId, head: { seq, hash } }) => ({
              chain: merchantId ?? operator,
              number: Number(seq),
              hash: hash.toString('hex'),
            })),
          }
        },
        ({ ok, differences }) =>
          ok
            ? 'The books are correct: everything checked adds up.'
            : [`The books are wrong:`, ...differences.map((difference) => `  ${difference}`)].join('\n'),
      ),
    )
}

const operator = 'operator'

function addKept(text: string, before: readonly AuditHead[] | undefined): AuditHead[] {
  const [name = '', number = '', hash = ''] = text.split(':')
  if (!(name === operator || isUuid(name)) || !/^\d{1,15}$/.test(number) || !/^[0-9a-f]{64}$/.test(hash))
    throw new InvalidArgumentError('It must be a chain, a number and a hash, such as operator:1:5f0c….')
  const chain = name === operator ? operatorChain : name.toLowerCase()
  return [...(before ?? []), { chain, seq: BigInt(number), hash: Buffer.from(hash, 'hex') }]
}
