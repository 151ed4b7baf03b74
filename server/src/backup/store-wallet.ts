import { open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { BackupError } from './error.ts'
import { piecesOf, writePiece, writeSealed } from './pieces.ts'
import { writeTar } from './tar.ts'
import { sha256, stemOf, type Target } from './target.ts'

/** What is kept besides the database. */
export type WalletSource = {
  /** Null: there is none here, or it is backed up elsewhere. */
  readonly walletFolder: string | null
  /** The key that seals secrets in the database; null if there is none. */
  readonly secretKey: Buffer | null
  readonly configFile: string | null
}

/** Names of journals in the wallet folder. They only grow, and are stored in pieces. */
const journalName = /^(live|test)-journal\.jsonl$/
/** Everything else there that the signer needs. Its lock says nothing. */
const keptName = /^(live|test)-[a-z-]+\.jsonl?$/

const maxPieceBytes = 16 * 1024 * 1024
const maxSmallFileBytes = 64 * 1024 * 1024

/**
 * Stores the wallet folder, the secret key and the configuration as they are now, as far as they have changed since this object
 * last looked. Neither the passphrase nor the key file of a wallet is stored.
 */
export function walletKeeper(source: WalletSource, target: Target, recipients: readonly Buffer[]) {
  let storedSum: string | null = null
  const journals = new Map<string, { series: string; stored: number }>()

  return async function store(now: Date): Promise<{ readonly isChanged: boolean }> {
    const names = source.walletFolder === null ? [] : await namesIn(source.walletFolder)
    let isChanged = false
    // First: the other files may depend on what was signed.
    for (const name of names.filter((each) => journalName.test(each)))
      if (await storeJournal(join(source.walletFolder ?? '', name))) isChanged = true
    const files = await smallFiles(names)
    if (files.length === 0) return { isChanged }
    const archive = writeTar(files)
    const sum = sha256(archive)
    if (sum === storedSum) return { isChanged }
    const stamp = now.toISOString().replace(/[-:]/g, '')
    await writeSealed(target, `wallet/${stamp}`, archive, recipients)
    storedSum = sum
    return { isChanged: true }
  }

  async function smallFiles(names: readonly string[]) {
    const files: { path: string; mode: number; content: Buffer }[] = []
    for (const name of names.filter((each) => keptName.test(each) && !journalName.test(each)))
      files.push({
        path: `wallet/${name}`,
        mode: 0o600,
        content: await readSmall(join(source.walletFolder ?? '', name)),
      })
    if (source.secretKey !== null)
      files.push({
        path: 'secret-key',
        mode: 0o600,
        content: Buffer.from(`${source.secretKey.toString('hex')}\n`),
      })
    if (source.configFile !== null)
      files.push({ path: 'config.json', mode: 0o600, content: await readSmall(source.configFile) })
    return files
  }

  /** Stores what was appended. Returns whether there was anything. */
  async function storeJournal(path: string): Promise<boolean> {
    const file = await open(path, 'r')
    try {
      const end = await wholeLines(file)
      if (end === 0) return false
      const known = journals.get(path) ?? (await findSeries(file, path))
      let from = known.stored
      if (from > end)
        throw new BackupError(
          `${path} is shorter than the journal in the backup. It is older: put the newest one there (npx sluice restore brings it back).`,
        )
      const isNew = from < end
      while (from < end) {
        // Pieces end where blocks do, so that a later consolidation replaces whole pieces.
        const to = Math.min(end, from - (from % maxPieceBytes) + maxPieceBytes)
        const bytes = Buffer.alloc(to - from)
        await file.read(bytes, 0, bytes.length, from)
        await writePiece(target, known.series, from, bytes, recipients)
        from = to
      }
      journals.set(path, { series: known.series, stored: end })
      return isNew
    } finally {
      await file.close()
    }
  }

  /** A journal is known by its first line, which names its wallet. What is stored of it is rewritten as few pieces. */
  async function findSeries(file: Awaited<ReturnType<typeof open>>, path: string) {
    const head = Buffer.alloc(4096)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    const line = head.subarray(0, bytesRead)
    const sum = sha256(line.subarray(0, line.indexOf('\n') + 1)).slice(0, 16)
    const series = `journal/${basename(path, '-journal.jsonl')}-${sum}`
    const stored = piecesOf(await target.list(`${series}/`), series)
    const end = stored.reduce((most, { to }) => Math.max(most, to), 0)
    const { size } = await file.stat()
    if (end > size) return { series, stored: end }
    const block = end - (end % maxPieceBytes)
    const inBlock = stored.filter(({ from }) => from >= block)
    if (inBlock.length < 2) return { series, stored: end }
    const bytes = Buffer.alloc(end - block)
    await file.read(bytes, 0, bytes.length, block)
    await writePiece(target, series, block, bytes, recipients)
    for (const { name, from, to } of inBlock) if (!(from === block && to === end)) await target.remove(name)
    return { series, stored: end }
  }
}

/** Removes copies of the small files that newer ones have replaced: all but the newest before `oldest`, and those after it. */
export async function pruneWallet(target: Target, oldest: string): Promise<void> {
  const stamp = oldest.replace(/[-:]/g, '')
  const copies = (await target.list('wallet/')).filter((name) => stemOf(name) !== null)
  const before = copies.filter((name) => name < `wallet/${stamp}`)
  for (const name of before.slice(0, -1)) await target.remove(name)
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => keptName.test(name)).sort()
}

async function readSmall(path: string): Promise<Buffer> {
  if ((await stat(path)).size > maxSmallFileBytes)
    throw new BackupError(`${path} is larger than ${maxSmallFileBytes} bytes.`)
  return readFile(path)
}

/** Up to the last line that is whole: the next may just be being written. */
async function wholeLines(file: Awaited<ReturnType<typeof open>>): Promise<number> {
  const { size } = await file.stat()
  const chunk = Buffer.alloc(64 * 1024)
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunk.length)
    const { bytesRead } = await file.read(chunk, 0, end - start, start)
    const at = chunk.lastIndexOf('\n', bytesRead - 1)
    if (at !== -1 && at < bytesRead) return start + at + 1
    end = start
  }
  return 0
}
