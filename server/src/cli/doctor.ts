import type { Command } from 'commander'
import type { Finding } from '../app/operator/judge-health.ts'
import { answer, explaining, withJson } from './answer.ts'
import type { Tools } from './tools.ts'

export function addDoctor(program: Command, tools: Tools): void {
  withJson(program.command('doctor'))
    .description('check the set-up and say what to do; exit code 1 on any problem')
    .addHelpText(
      'after',
      `
Checks time, disk, permissions, database, roles, backups, nodes, public address and certificate, mail, Redis, webhooks, the last
audit, and what live payouts need. Run it with the settings of the service, as its user. Changes nothing, sends no mail, and
needs no passphrase.

Example:
  $ npx sluice doctor --json
  {"ok":true,"checks":[{"check":"time","state":"ok","says":"…","todo":null}]}`,
    )
    .action((_options, command: Command) =>
      explaining(async () => {
        const settings = tools.readSettings()
        const checks = await tools.checkSetUp(settings, tools.createLog(settings, 'warn'))
        const ok = checks.every(({ state }) => state !== 'problem')
        if (!ok) process.exitCode = 1
        answer(command, { ok, checks }, inWords(checks))
      }),
    )
}

const shown = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM' }

function inWords(checks: readonly Finding[]): string {
  const lines = checks.flatMap(({ check, state, says, todo }) => [
    `${shown[state]}  ${check}: ${says}`,
    ...(todo === null ? [] : [`         → ${todo}`]),
  ])
  const count = (state: Finding['state']) => checks.filter((each) => each.state === state).length
  return [...lines, '', `${count('problem')} problems, ${count('warning')} warnings.`].join('\n')
}
