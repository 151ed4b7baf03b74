import { type Command, InvalidArgumentError, Option } from 'commander'
import { answer, explaining, withJson } from './answer.ts'
import { readMoment, restoredFields, saying } from './restore.ts'
import type { BackupPart, Tools } from './tools.ts'

const maxKeep = 1_000
const maxHours = 24 * 90
const maxSeconds = 3_600

type TakeOptions = {
  to?: string
  only?: 'database' | 'wallet'
  keep: number
  follow?: true
  every: number
  flush: number
}

export function addBackupCommands(program: Command, tools: Tools): void {
  const backup = withJson(program.command('backup'))
    .description('back up the database, the wallet and the signer’s journal, sealed to the recipients')
    .option('--to <place>', 'a folder, or s3://bucket/prefix; SLUICE_BACKUP_TARGET if left out')
    .addOption(
      new Option('--only <part>', 'back up only what this machine has').choices(['database', 'wallet']),
    )
    .option('--keep <bases>', 'how many base backups to keep', wholeNumber(1, maxKeep), 7)
    .option('--follow', 'keep running, and store every change within seconds')
    .option('--every <hours>', 'with --follow: how often to take a base backup', wholeNumber(1, maxHours), 24)
    .option(
      '--flush <seconds>',
      'with --follow: how long a change may stay unstored',
      wholeNumber(1, maxSeconds),
      10,
    )
    .addHelpText(
      'after',
      `
Seals everything to SLUICE_BACKUP_RECIPIENTS. The passphrase or key file of a wallet is not backed up: keep it elsewhere.
Without --follow, only the moment of each backup can be restored.

Examples:
  $ npx sluice backup keygen > backup-identity.txt     keep it off this machine
  $ npx sluice backup --to /mnt/backups
  $ npx sluice backup verify --identity backup-identity.txt`,
    )
    .action((options: TakeOptions, command: Command) =>
      explaining(() =>
        options.follow === true ? follow(tools, options, command) : take(tools, options, command),
      ),
    )
  addKeygen(backup, tools)
  addVerify(backup, tools)
}

async function take(tools: Tools, { to, only, keep }: TakeOptions, command: Command): Promise<void> {
  const settings = tools.readSettings()
  const wanted = { to: to ?? null, part: partOf(only), keep }
  const { target, base } = await tools.backup.take(
    settings,
    tools.createLog(settings, 'warn'),
    wanted,
    saying,
  )
  answer(
    command,
    { target, base: base === null ? null : { id: base.id, finished_at: base.finishedAt, bytes: base.bytes } },
    base === null
      ? `The wallet is backed up in ${target}.`
      : `Backed up in ${target}: base ${base.id}, ${(base.bytes / 1024 ** 2).toFixed(1)} MB sealed.`,
  )
}

async function follow(
  tools: Tools,
  { to, only, keep, every, flush }: TakeOptions,
  command: Command,
): Promise<void> {
  const settings = tools.readSettings()
  const told = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => told.abort())
  const wanted = {
    to: to ?? null,
    part: partOf(only),
    keep,
    everyMs: every * 3_600_000,
    flushMs: flush * 1000,
    signal: told.signal,
  }
  const { isStored } = await tools.backup.follow(
    settings,
    tools.createLog(settings, settings.logLevel),
    wanted,
    saying,
  )
  answer(
    command,
    { everything_stored: isStored },
    isStored ? 'Everything up to now is stored.' : 'Stopped, and not everything is stored.',
  )
}

function addKeygen(backup: Command, tools: Tools): void {
  withJson(backup.command('keygen'))
    .description('make the key pair that backups are sealed to and opened with')
    .action((_options: object, command: Command) =>
      explaining(async () => {
        const { identity, recipient } = await tools.backup.keygen()
        process.stderr.write(`Public key: ${recipient}\n`)
        answer(command, { identity, recipient }, `# public key: ${recipient}\n${identity}`)
      }),
    )
}

type VerifyOptions = { from?: string; identity: string; at?: Date; scratch?: string }

function addVerify(backup: Command, tools: Tools): void {
  withJson(backup.command('verify'))
    .description(
      'restore the newest backup into a scratch folder and audit it; exit code 1 on any difference',
    )
    .option('--from <place>', 'a folder, or s3://bucket/prefix; SLUICE_BACKUP_TARGET if left out')
    .requiredOption('--identity <file>', 'the private key, as backup keygen wrote it')
    .option('--at <time>', 'another moment than the newest, such as 2026-11-18T14:00:00Z', readMoment)
    .option(
      '--scratch <folder>',
      'where the copy is made and removed again; the system’s temporary folder if left out',
    )
    .addHelpText(
      'after',
      `
Runs the audit on the copy, and asks Bitcoin-like nodes which of its coins exist. Touches neither the service nor its database.`,
    )
    .action((options: VerifyOptions, command: Command) =>
      explaining(async () => {
        const settings = tools.readSettings()
        const { ok, differences, restored, seconds } = await tools.backup.verify(
          settings,
          tools.createLog(settings, 'warn'),
          {
            from: options.from ?? null,
            identityFile: options.identity,
            at: options.at ?? null,
            scratch: options.scratch ?? null,
          },
          saying,
        )
        if (!ok) process.exitCode = 1
        answer(
          command,
          { ok, differences, seconds, ...restoredFields(restored) },
          ok
            ? `The backup was restored and its books are correct (${seconds} s).`
            : [
                'The backup was restored, but its books are wrong:',
                ...differences.map((each) => `  ${each}`),
              ].join('\n'),
        )
      }),
    )
}

function partOf(only: 'database' | 'wallet' | undefined): BackupPart {
  return only ?? 'all'
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,6}$/.test(text) || Number(text) < least || Number(text) > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
    return Number(text)
  }
}
