import { type Command, InvalidArgumentError } from 'commander'
import {
  hasPassed,
  type TrialFinding,
  type TrialReport,
  type TriedServer,
  trialBlocks,
} from '../domain/gate-trial.ts'
import { answer, explaining, withJson } from './answer.ts'
import type { Tools } from './tools.ts'

type Options = { url: string[]; chain?: string; cookieFile?: string; blocks: number }

export function addGateTry(gate: Command, tools: Tools): void {
  withJson(gate.command('try'))
    .description(
      'try a server: what Sluice reads of it, and whether that can be true; exit code 1 if anything failed',
    )
    .argument('<network>', 'the network, such as bitcoin or ethereum')
    // No value is ever checked here: a message about it would show it.
    .option('--url <url>', 'the server’s URL, with its login; may be repeated', collect, [])
    .option(
      '--chain <chain>',
      'the chain it must be on, if not the live one: its name (regtest, devnet), on EVM networks its id, on the XRP Ledger its number',
    )
    .option('--cookie-file <file>', 'the file with the login of a node of Bitcoin or Litecoin')
    .option(
      '--blocks <count>',
      `how many blocks to read, at most ${trialBlocks.most}`,
      readBlocks,
      trialBlocks.usual,
    )
    .addHelpText(
      'after',
      `
Reads only: it needs no database, no wallet and no running service, sends nothing and changes nothing. It ends within three
minutes or so. The report names servers by their host alone, and shows no login and no API key, so you can send it to us.

Without --url it tries the servers of the network's gate in SLUICE_CONFIG. Other users of this machine can read the arguments
of your commands; they cannot read that file.

Examples:
  $ npx sluice gate try bitcoin --url http://127.0.0.1:8332 --cookie-file ~/.bitcoin/.cookie
  $ npx sluice gate try ethereum --url https://one.example/KEY --url https://two.example --json
  $ npx sluice gate try litecoin --chain regtest --url http://user:password@127.0.0.1:19443
  $ npx sluice gate try solana --chain devnet --url http://127.0.0.1:8899
  $ npx sluice gate try xrp --chain 1 --url http://127.0.0.1:5005`,
    )
    .action((network: string, options: Options, command: Command) =>
      explaining(async () => {
        const { url: urls, chain = null, cookieFile = null, blocks } = options
        const settings = urls.length === 0 ? tools.readSettings() : null
        const report = await tools.tryGate({ network, urls, chain, cookieFile, blocks }, settings)
        if (!hasPassed(report)) process.exitCode = 1
        answer(command, asData(tools.version, report), inWords(tools.version, report))
      }),
    )
}

function collect(url: string, before: string[]): string[] {
  return [...before, url]
}

function readBlocks(text: string): number {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > trialBlocks.most)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${trialBlocks.most}.`)
  return count
}

function asData(version: string, report: TrialReport) {
  return {
    ok: hasPassed(report),
    sluice: version,
    network: report.network,
    chain: report.chain,
    blocks: report.blocks,
    started_at: report.startedAt.toISOString(),
    took_ms: report.tookMs,
    servers: report.servers.map((server) => ({
      server: server.number,
      host: server.place,
      tls: server.isEncrypted,
      software: server.software,
      requests: server.requests,
      calls: server.calls,
      latency_ms: server.latencyMs,
      checks: server.findings,
    })),
    agreement: report.agreement,
  }
}

const shown = { passed: 'passed ', failed: 'FAILED ', skipped: 'skipped' }

function inWords(version: string, report: TrialReport): string {
  const { network, chain, startedAt, tookMs, servers, agreement } = report
  const all = [...servers.flatMap(({ findings }) => findings), agreement]
  const count = (state: TrialFinding['state']) => all.filter((each) => each.state === state).length
  return [
    `Sluice ${version} tried ${servers.length === 1 ? 'a server' : `${servers.length} servers`} of ${network} (${chain}) at ${startedAt.toISOString()}, in ${(tookMs / 1000).toFixed(1)} s.`,
    ...servers.flatMap((server) => ['', ...serverInWords(server)]),
    ...(servers.length > 1 ? ['', 'All servers', ...findingInWords(agreement)] : []),
    '',
    `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped.`,
  ].join('\n')
}

function serverInWords({ number, place, software, calls, findings }: TriedServer): string[] {
  const named = software === null ? '' : `: ${software}`
  return [`Server ${number} (${place}${named}), ${calls} calls`, ...findings.flatMap(findingInWords)]
}

function findingInWords({ check, state, says, todo }: TrialFinding): string[] {
  return [`${shown[state]}  ${check}: ${says}`, ...(todo === null ? [] : [`         → ${todo}`])]
}
