import { type Command, InvalidArgumentError } from 'commander'
import { answer, explaining, withJson } from './answer.ts'
import type { RestoredBackup, Tools } from './tools.ts'

type Options = { from?: string; identity: string; data: string; at?: Date }

export function addRestore(program: Command, tools: Tools): void {
  withJson(program.command('restore'))
    .description('restore a backup into an empty data folder')
    .option('--from <place>', 'a folder, or s3://bucket/prefix; SLUICE_BACKUP_TARGET if left out')
    .requiredOption('--identity <file>', 'the private key, as backup keygen wrote it')
    .requiredOption('--data <folder>', 'the data folder to restore; it must be empty or missing')
    .option('--at <time>', 'the database as of this moment, such as 2026-11-18T14:00:00Z', readMoment)
    .addHelpText(
      'after',
      `
Restores the database as of the moment, and the wallet’s files and the signer’s journal as new as the backup has them: the
journal keeps the signer from paying twice what the older database has forgotten. If the old machine’s journal can still be
read and is longer, use that one. Make sure that the old machine can never sign again.`,
    )
    .action((options: Options, command: Command) =>
      explaining(async () => {
        const restored = await tools.backup.restore(
          tools.readSettings(),
          {
            from: options.from ?? null,
            identityFile: options.identity,
            dataDir: options.data,
            at: options.at ?? null,
          },
          saying,
        )
        answer(command, restoredFields(restored), inWords(options, restored))
      }),
    )
}

/** What is being done goes to standard error: the result has standard output. */
export function saying(message: string): void {
  process.stderr.write(`${message}\n`)
}

/** A moment with its zone: without one, it would mean something else on another machine. */
export function readMoment(text: string): Date {
  const moment = new Date(text)
  if (
    !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/.test(text) ||
    Number.isNaN(moment.getTime())
  )
    throw new InvalidArgumentError('It must be a time with its zone, such as 2026-11-18T14:00:00Z.')
  return moment
}

/** For machines: the same fields wherever a restored backup is shown. */
export function restoredFields(restored: RestoredBackup) {
  return {
    base: restored.baseId,
    base_at: restored.baseAt,
    last_commit: restored.lastCommit?.toISOString() ?? null,
    everything: restored.isAll,
    wallet_at: restored.walletAt,
    journals: restored.journals,
    database: restored.cluster,
  }
}

function inWords({ data, at }: Options, restored: RestoredBackup): string {
  const reached =
    restored.lastCommit === null
      ? `The database is as of ${restored.baseAt}, when its base backup was complete.`
      : `The database is as of its last change at ${restored.lastCommit.toISOString()}.`
  return [
    reached,
    ...(at !== undefined && restored.isAll ? ['Nothing later is stored: this is all there is.'] : []),
    restored.walletAt === null
      ? 'The backup has no wallet. Restore it from its words: npx sluice wallet init --words-from-stdin'
      : `The wallet’s files are as of ${restored.walletAt}; journals: ${restored.journals.join(', ') || 'none'}.`,
    '',
    'Next:',
    '  1. Make sure that the old machine can never sign again.',
    '  2. If its journal can be read and is longer than the restored one, copy it into the folder wallet.',
    ...(restored.isEmbedded
      ? [`  3. Set SLUICE_DATA_DIR=${data}, and the wallet’s passphrase or key file, which no backup has.`]
      : [`  3. Start your PostgreSQL on ${restored.cluster}, and point DATABASE_URL at it.`]),
    '  4. npx sluice wallet reconcile     (payouts that were sent since, and addresses that were given out)',
    '  5. npx sluice audit',
    '  6. npx sluice start, and start backups anew',
  ].join('\n')
}
