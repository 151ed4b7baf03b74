import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { proofsOfKeys } from '../../../src/app/addresses/published-keys.ts'
import { marksFor } from '../../../src/domain/address-demand.ts'
import { createProver } from '../../../src/domain/address-proofs.ts'
import { createLog } from '../../../src/log.ts'
import { fillAddresses } from '../../../src/signer/fill-addresses.ts'
import { openTestWallet } from '../../../src/signer/kept-wallet.ts'
import { testWalletPath, WalletError } from '../../../src/signer/wallet-file.ts'
import type { Database } from '../../../src/store/database.ts'
import { storeOn } from '../../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../../support/database/database.ts'
import { openTestDatabase } from '../../support/database/open-database.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/processes/temporary-folder.ts'
import { noProofs } from '../../support/shop/no-proofs.ts'
import { currencies } from '../../support/shop/registry.ts'
import { startTestService } from '../../support/shop/service.ts'

const words = `${'abandon '.repeat(11)}about`

let test: TestDatabase
let database: Database
let folder: TemporaryFolder
let logged: string[]
beforeEach(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 10)
  folder = await makeTemporaryFolder()
  logged = []
})
afterEach(async () => {
  await database.close()
  await test.drop()
  await folder.remove()
})

const prover = createProver(Buffer.alloc(32, 7))
const app = () => ({
  store: storeOn(database.db),
  transaction: <T>(run: (tx: ReturnType<typeof storeOn>) => Promise<T>) =>
    database.transaction((tx) => run(storeOn(tx))),
  random: randomBytes,
  assets: currencies,
  prover,
  proofs: noProofs,
})
const host = (name: string) => join(folder.path, name)
const open = (dataDir = host('one')) =>
  openTestWallet(app(), { dataDir, log: createLog('debug', { write: (line) => logged.push(line) }) })
const put = async (dataDir: string, text: string) => {
  await mkdir(dirname(testWalletPath(dataDir)), { recursive: true })
  await writeFile(testWalletPath(dataDir), text, { mode: 0o600 })
}

it('the first start creates the wallet and publishes its public keys, and later starts use it and write nothing', async () => {
  const first = await open()
  expect(await app().store.walletKeys.read('test')).toEqual({
    wallet: first?.fingerprint,
    keys: first?.publicKeys,
    proofs: proofsOfKeys(prover, 'test', first?.fingerprint ?? '', first?.publicKeys ?? {}),
  })
  expect(await app().store.walletKeys.read('live')).toBeNull()
  const [before] = await query<{ xid: string }>(test.url, 'select max(xmin::text) as xid from wallet_keys')
  expect((await open())?.fingerprint).toBe(first?.fingerprint)
  expect(await query(test.url, 'select max(xmin::text) as xid from wallet_keys')).toEqual([before])
})

it('a start continues with the wallet file of one that was killed before it published the keys', async () => {
  await put(host('one'), JSON.stringify({ version: 1, environment: 'test', words }))
  expect((await open())?.publicKeys.xrp).toBe('rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3')
  expect((await app().store.walletKeys.read('test'))?.keys.xrp).toBe('rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3')
})

it('ten concurrent starts on one data folder end with one wallet', async () => {
  const wallets = await Promise.all(Array.from({ length: 10 }, () => open()))
  expect(new Set(wallets.map((wallet) => wallet?.fingerprint)).size).toBe(1)
  expect((await app().store.walletKeys.read('test'))?.wallet).toBe(wallets[0]?.fingerprint)
})

it('five hosts starting at once end with one wallet, and the others run without it', async () => {
  const hosts = ['a', 'b', 'c', 'd', 'e']
  const wallets = await Promise.all(hosts.map((name) => open(host(name))))
  expect(wallets.filter((wallet) => wallet !== null)).toHaveLength(1)
  const stored = await query<{ n: number }>(
    test.url,
    'select count(distinct wallet)::int as n from wallet_keys',
  )
  expect(stored).toEqual([{ n: 1 }])
})

it('no second wallet is made when the file is missing and the database has a wallet', async () => {
  const first = await open()
  await rm(dirname(testWalletPath(host('one'))), { recursive: true })
  expect(await open()).toBeNull()
  await expect(readFile(testWalletPath(host('one')))).rejects.toThrow('ENOENT')
  expect(logged.join()).toContain('not in this data folder')
  expect((await app().store.walletKeys.read('test'))?.wallet).toBe(first?.fingerprint)
})

it('a wallet other than the database’s is not used and stays unchanged', async () => {
  const first = await open()
  const text = JSON.stringify({ version: 1, environment: 'test', words })
  await put(host('two'), text)
  expect(await open(host('two'))).toBeNull()
  expect(logged.join()).toContain('is not the test wallet of the database')
  expect(await readFile(testWalletPath(host('two')), 'utf8')).toBe(text)
  expect((await app().store.walletKeys.read('test'))?.wallet).toBe(first?.fingerprint)
})

it('a new network is added only by the wallet that the database knows', async () => {
  const first = await open()
  const { walletKeys } = app().store
  await query(test.url, `delete from wallet_keys where network in ('base', 'solana')`)
  await put(host('two'), JSON.stringify({ version: 1, environment: 'test', words }))
  expect(await open(host('two'))).toBeNull()
  expect(Object.keys((await walletKeys.read('test'))?.keys ?? {})).toHaveLength(
    first === null ? 0 : Object.keys(first.publicKeys).length - 2,
  )
  await open()
  expect((await walletKeys.read('test'))?.keys).toEqual(first?.publicKeys)
})

it('a missing hot wallet address is published, and nothing else is written', async () => {
  const first = await open()
  await query(test.url, `update wallet_keys set public_key = null where network = 'solana'`)
  const rows = `select network, xmin::text from wallet_keys where network <> 'solana' order by network`
  const before = await query(test.url, rows)
  await open()
  expect((await app().store.walletKeys.read('test'))?.keys).toEqual(first?.publicKeys)
  expect(await query(test.url, rows)).toEqual(before)
})

it('the signer stops when the public keys in the database do not match its seed', async () => {
  await open()
  await query(test.url, `update wallet_keys set public_key = 'rPayThief' where network = 'xrp'`)
  await expect(open()).rejects.toThrow('do not match its seed: xrp')
})

it('published keys are never overwritten', async () => {
  const publish = (wallet: string, keys: Record<string, string>) =>
    app().transaction((tx) => tx.walletKeys.publish('live', wallet, keys, {}))
  expect(await publish('a'.repeat(16), { bitcoin: 'one' })).toBe('a'.repeat(16))
  expect(await publish('a'.repeat(16), { bitcoin: 'two', xrp: 'three' })).toBe('a'.repeat(16))
  expect(await publish('b'.repeat(16), { litecoin: 'four' })).toBe('a'.repeat(16))
  expect(await app().store.walletKeys.read('live')).toEqual({
    wallet: 'a'.repeat(16),
    keys: { bitcoin: 'one', xrp: 'three' },
    proofs: { bitcoin: null, xrp: null },
  })
})

it('the signer fills only the pools of addresses that the seed alone can derive', async () => {
  await put(host('one'), JSON.stringify({ version: 1, environment: 'test', words }))
  const wallet = await open()
  if (wallet === null) throw new Error('no wallet')
  expect(await fillAddresses(app(), wallet, marksFor(60))).toBe(60)
  expect(await fillAddresses(app(), wallet, marksFor(60))).toBe(0)
  const grant = { keychain: 'solana-test', first: 0, below: 60, stamp: 'a stamp' }
  await app().store.addressGrants.put([grant])
  expect(await app().store.depositAddresses.claim('solana-test', 1)).toEqual([
    { position: 0, address: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk', tag: null, proof: null },
  ])
  expect(await query(test.url, 'select keychain from deposit_address_counters')).toEqual([
    { keychain: 'solana-test' },
  ])
})

it('a service with all roles has its wallet when it is ready, and never logs its words', async () => {
  const dataDir = host('service')
  const env = { SLUICE_DATA_DIR: dataDir }
  const service = await startTestService({ database: test, env, makesWallet: true })
  try {
    const kept = JSON.parse(await readFile(testWalletPath(dataDir), 'utf8')) as { words: string }
    const published = await service.app.store.walletKeys.read('test')
    expect(service.logged).toContainEqual(expect.objectContaining({ wallet: published?.wallet }))
    await expect
      .poll(async () => (await service.app.store.depositAddresses.shortage(['solana-test'], 8)).length)
      .toBe(0)
    const [first = '', second = ''] = kept.words.split(' ')
    expect(JSON.stringify(service.logged)).not.toContain(`${first} ${second}`)
  } finally {
    await service.stop()
  }
})

it('a service with a damaged wallet file does not start, and its error shows none of the words', async () => {
  await put(host('bad'), `{"words":"${words}"`)
  const failed = await startTestService({
    database: test,
    env: { SLUICE_DATA_DIR: host('bad') },
    makesWallet: true,
  }).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(WalletError)
  expect(String(failed)).not.toContain('abandon')
})
