import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog } from '../../../src/log.ts'
import { journalPath } from '../../../src/signer/journal.ts'
import { createSigningSession, signerSeat } from '../../../src/signer/signing-session.ts'
import { openWallet } from '../../../src/signer/wallet.ts'
import { walletPath } from '../../../src/signer/wallet-file.ts'
import {
  copyDatabase,
  createTestDatabase,
  query,
  type TestDatabase,
} from '../../support/database/database.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { runSluice, startSluice } from '../../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/processes/temporary-folder.ts'
import { currencies } from '../../support/shop/registry.ts'
import { openDesk } from '../../support/signer/signer-desk.ts'
import { settingsOf } from '../../support/signer/signer-limits.ts'

const passphrase = 'correct horse battery staple'
let folders: TemporaryFolder[]
let databases: TestDatabase[]
beforeEach(async () => {
  folders = [await makeTemporaryFolder(), await makeTemporaryFolder()]
  databases = [await createTestDatabase()]
  for (const [name, text] of Object.entries({ passphrase, short: 'short', other: 'something else' }))
    await writeFile(secretFile(name), `${text}\n`, { mode: 0o600 })
})
afterEach(async () => {
  for (const database of databases) await database.drop()
  for (const folder of folders) await folder.remove()
})

const secretFile = (name: string) => join(folders[0]?.path ?? '', name)

const host = (at: number, database = databases[0]) => ({
  SLUICE_DATA_DIR: folders[at]?.path ?? '',
  DATABASE_URL: database?.serviceUrl ?? '',
  SLUICE_WALLET_PASSPHRASE_FILE: secretFile('passphrase'),
})

async function run(args: readonly string[], env: Record<string, string>, input?: string) {
  const all = [...args, '--json']
  const { code, stdout, stderr } = await runCommand(all, env, input)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

// Runs the steps of "A drill" in docs/operating/wallets.md.
it('a lost host is restored from the words, a database backup and the journal, and nothing is paid twice', async () => {
  const made = await run(['wallet', 'init', '--environment', 'test'], host(0))
  expect(made.words.split(' ')).toHaveLength(24)
  const before = await run(['wallet', 'addresses'], host(0))
  const wallet = await openWallet(made.words, 'test', currencies)

  // One payout is signed before the backup, a second one after it.
  let desk = await openDesk({
    database: databases[0] as TestDatabase,
    folder: folders[0] as TemporaryFolder,
    wallet,
  })
  const early = await desk.ordinary()
  expect(await desk.sign()).toBe(1)
  const late = await desk.payout()
  const coin = await desk.coin()
  await desk.close()
  const backup = await copyDatabase(databases[0] as TestDatabase)
  databases.push(backup)
  desk = await openDesk({
    database: databases[0] as TestDatabase,
    folder: folders[0] as TemporaryFolder,
    wallet,
  })
  const spendId = await desk.plan(desk.coinPlan([coin], [late]), [late])
  expect(await desk.sign()).toBe(1)
  const signed = { early: await desk.outcome(early.spendId), late: await desk.outcome(spendId) }
  await desk.close()

  // The host is lost. Another one gets the words, the backup and the journal.
  const restored = await run(
    ['wallet', 'init', '--environment', 'test', '--words-from-stdin'],
    host(1, backup),
    `${made.words}\n`,
  )
  expect(restored).toEqual({
    environment: 'test',
    wallet: made.wallet,
    path: walletPath(folders[1]?.path ?? '', 'test'),
  })
  await copyFile(journalPath(folders[0]?.path ?? '', 'test'), journalPath(folders[1]?.path ?? '', 'test'))
  expect(await run(['wallet', 'reconcile'], host(1, backup))).toEqual({
    transactions: [
      {
        tx_hash: signed.late.hash,
        gate_id: 'bitcoin-test',
        kind: 'payout',
        payout_ids: [late.id],
        outcome: 'restored',
        reason: null,
      },
    ],
    addresses: [],
  })
  expect(await run(['wallet', 'addresses'], host(1, backup))).toEqual(before)
  expect(
    await query(backup.url, 'select status, spend_id, tx_hash from payouts where id = $1', [late.id]),
  ).toEqual([{ status: 'processing', spend_id: spendId, tx_hash: signed.late.hash }])

  // The new host's signer starts and signs the next payout.
  desk = await openDesk({ database: backup, folder: await extra(), wallet })
  const next = await desk.ordinary()
  const signer = await startSluice(host(1, backup), ['--role', 'signer'])
  await expect.poll(async () => (await desk.outcome(next.spendId)).hash).not.toBeNull()
  expect((await desk.outcome(early.spendId)).hash).toBe(signed.early.hash)
  expect(await signer.end('SIGTERM')).toBe(0)
  await desk.close()
})

it('without the journal nothing is signed until wallet reconcile has rebuilt it from the database', async () => {
  const made = await run(['wallet', 'init', '--environment', 'test'], host(0))
  const wallet = await openWallet(made.words, 'test', currencies)
  const desk = await openDesk({
    database: databases[0] as TestDatabase,
    folder: folders[0] as TemporaryFolder,
    wallet,
  })
  const first = await desk.ordinary()
  expect(await desk.sign()).toBe(1)
  await run(['wallet', 'init', '--environment', 'test', '--words-from-stdin'], host(1), made.words)
  const next = await desk.ordinary()
  const signer = await startSluice(host(1), ['--role', 'signer'])
  await expect.poll(async () => (await desk.outcome(next.spendId)).refusal).toMatch('wallet reconcile')
  const busy = await runCommand(['wallet', 'reconcile'], host(1))
  expect(busy.stderr).toContain('A signer is using this wallet folder')
  await signer.end('SIGTERM')
  const { hash } = await desk.outcome(first.spendId)
  expect(await run(['wallet', 'reconcile'], host(1))).toMatchObject({
    transactions: [{ tx_hash: hash, outcome: 'journaled' }],
  })
  // The journal that it wrote is enough to sign with.
  const dataDir = folders[1]?.path ?? ''
  const seat = signerSeat(dataDir)
  const log = createLog('silent', { write: () => {} })
  const { app, url } = desk
  const session = createSigningSession({ app, url, dataDir, wallet, seat, settings: settingsOf(), log })
  expect(await session.step()).toBe(1)
  expect((await desk.outcome(next.spendId)).hash).not.toBeNull()
  await session.close()
  seat.release()
  await desk.close()
})

it('a live wallet is created only by command, opened by the signer, and its secret appears nowhere', async () => {
  const keyFile = join(folders[1]?.path ?? '', 'wallet.key')
  const { SLUICE_WALLET_PASSPHRASE_FILE: _, ...env } = host(0)
  const withoutSecret = await runCommand(['wallet', 'init'], env)
  expect(withoutSecret.code).toBe(1)
  expect(withoutSecret.stderr).toContain('SLUICE_WALLET_PASSPHRASE_FILE')
  const made = await run(['wallet', 'init', '--key-file', keyFile], env)
  expect(made.environment).toBe('live')
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
  const path = walletPath(folders[0]?.path ?? '', 'live')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
  // A few words may be in the file anyway, such as "key".
  const kept = await readFile(path, 'utf8')
  const words: string[] = made.words.split(' ')
  const readable = words.filter((word) => new RegExp(`\\b${word}\\b`).test(kept))
  expect(readable.length).toBeLessThan(words.length / 2)

  const again = await runCommand(['wallet', 'init', '--key-file', keyFile], env)
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain('A wallet is never replaced')
  const locked = await runSluice(['start', '--role', 'signer'], env)
  expect(locked.code).toBe(1)
  expect(locked.stderr).toContain('Set SLUICE_WALLET_KEY_FILE')

  const config = join(folders[1]?.path ?? '', 'config.json')
  await writeFile(config, JSON.stringify({ signer: { waive: ['passkeys'] } }))
  const signer = await startSluice({ ...env, SLUICE_WALLET_KEY_FILE: keyFile, SLUICE_CONFIG: config }, [
    '--role',
    'signer',
  ])
  const { wallets } = await run(['wallet', 'addresses'], env)
  expect(wallets.map((each: { environment: string }) => each.environment)).toEqual(['live', 'test'])
  expect(wallets[0].networks.map((each: { network: string }) => each.network)).toContain('solana')
  const bitcoin = wallets[0].networks.find((each: { network: string }) => each.network === 'bitcoin')
  expect(bitcoin).toMatchObject({
    account_key: expect.stringMatching(/^zpub/),
    hot_wallet: expect.stringMatching(/^bc1/),
  })
  await signer.end('SIGTERM')
  expect(signer.stderr()).toContain('no live payout is signed until the signer has limits')
  expect(signer.stderr()).toMatch(/"safeguard":"passkeys".*A SAFEGUARD OF LIVE PAYOUTS IS WAIVED/)
  expect(signer.stderr()).not.toContain(words.slice(0, 2).join(' '))
  expect((await readdir(dirname(path))).sort()).toEqual([
    'live-cooling-off.jsonl',
    'live-journal.jsonl',
    'live-passkeys.jsonl',
    'live-settings.jsonl',
    'live-wallet.json',
    'signer.lock',
    'test-cooling-off.jsonl',
    'test-journal.jsonl',
    'test-passkeys.jsonl',
    'test-settings.jsonl',
    'test-wallet.json',
  ])
})

it('wrong words, another wallet’s words and a wrong or short passphrase are refused without writing or showing anything', async () => {
  const made = await run(['wallet', 'init'], host(0))
  const restore = (env: Record<string, string>, words: string) =>
    // In a process of its own, whose standard error has its log too: neither may show the words.
    runSluice(['wallet', 'init', '--words-from-stdin', '--json'], env, words)
  const mistyped = await restore(host(1), `${made.words} ${made.words.split(' ')[0]}`)
  expect(mistyped.stderr).toContain('not the words of a wallet')
  const other = await restore(host(1), `${'zoo '.repeat(23)}vote`)
  expect(other.stderr).toContain(`the database's live wallet is ${made.wallet}`)
  const short = await restore({ ...host(1), SLUICE_WALLET_PASSPHRASE_FILE: secretFile('short') }, made.words)
  expect(short.stderr).toContain('at least 12 characters')
  const second = await runCommand(['wallet', 'init', '--json'], host(1))
  expect(second.stderr).toContain('The database already has a live wallet')
  for (const failed of [mistyped, other, short, second]) {
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).not.toContain(made.words.split(' ').slice(0, 2).join(' '))
    expect(failed.stderr).not.toContain(passphrase)
  }
  await mkdir(join(folders[1]?.path ?? '', 'wallet'), { recursive: true })
  expect(await readdir(join(folders[1]?.path ?? '', 'wallet'))).toEqual([])
  const wrong = await runSluice(['start', '--role', 'signer'], {
    ...host(0),
    SLUICE_WALLET_PASSPHRASE_FILE: secretFile('other'),
  })
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toContain('is not the passphrase it was encrypted with')
})

async function extra(): Promise<TemporaryFolder> {
  const folder = await makeTemporaryFolder()
  folders.push(folder)
  return folder
}
