import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { deriveElsewhere } from '../../src/app/addresses/derive-elsewhere.ts'
import { depositAddressesFrom } from '../../src/gates/deposit-source.ts'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { openWallet } from '../../src/signer/wallet.ts'
import { askDeriver, askedIn } from '../../src/wire/ask-deriver.ts'
import { type KeptDeriver, keepDeriver } from '../../src/wire/keep-deriver.ts'
import { startDeriver } from '../../src/wire/processes.ts'
import { query } from '../support/database/database.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder } from '../support/processes/temporary-folder.ts'
import { currencies } from '../support/shop/registry.ts'

const { publicKeys } = await openWallet(`${'abandon '.repeat(11)}about`, 'test', currencies)
const source = { kind: 'evm', accountKey: publicKeys.ethereum ?? '' } as const
const own = { depositAddress: depositAddressesFrom(source), random: randomBytes }

const open: KeptDeriver[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()))
})

/** A kept deriver in a process of its own, as the service asks it. */
function begin(options: { restMs?: number; patienceMs?: number } = {}) {
  const children: ChildProcess[] = []
  const failures: unknown[] = []
  const kept = keepDeriver({
    start() {
      const child = startDeriver(readSettings({}), null)
      children.push(child)
      return child
    },
    log: { error: (why: unknown) => failures.push(why) },
    ...options,
  })
  open.push(kept)
  const asked = askDeriver((message) => {
    if ('distrust' in message) kept.distrust(message.distrust)
    else kept.ask(message, (answer) => asked.answered(answer))
  })
  const deriver = {
    ask: (from: number, count: number) => asked.ask(source, from, count),
    distrust: asked.distrust,
  }
  const derive = (from: number, count: number) => deriveElsewhere(deriver, own, from, count)
  return { derive, kept, children, failures }
}

const ended = (child: ChildProcess | undefined) => child?.exitCode !== null || child.signalCode !== null

it('the deriver gives the addresses that the service would derive, knows no setting, and may do nothing else', async () => {
  process.env.SLUICE_SECRET_KEY = 'f0'.repeat(32)
  const { derive, children, failures } = begin()
  const places = await derive(5, 10).finally(() => delete process.env.SLUICE_SECRET_KEY)
  expect(places).toEqual(Array.from({ length: 10 }, (_, nth) => own.depositAddress(5 + nth)))
  const seen = (name: string) => readFileSync(`/proc/${children[0]?.pid}/${name}`, 'utf8').split('\0')
  const names = seen('environ').map((each) => each.split('=')[0])
  expect(names.filter((name) => /SLUICE|DATABASE|PG|KEY/.test(name ?? ''))).toEqual([])
  const flags = seen('cmdline').filter((each) => each.startsWith('--'))
  expect(flags).toContain('--permission')
  expect(flags.filter((flag) => /write|child|worker|addons|wasi/.test(flag))).toEqual([])
  expect([children.length, failures]).toEqual([1, []])
})

it('a process of the service can ask for addresses and distrust the deriver; nothing else that it sends is passed on', () => {
  const request = { derive: 1, source, from: 0, count: 256 }
  expect(askedIn({ ...request, more: 'than that' })).toEqual(request)
  expect(askedIn({ distrust: 'it lied' })).toEqual({ distrust: 'it lied' })
  const wrong = [
    { count: 257 },
    { count: -1 },
    { from: 0.5 },
    { from: '0' },
    { derive: {} },
    { derive: null },
  ]
  const others = [null, undefined, 'derive', 7, [], {}, { distrust: 1 }, { url: 'http://localhost' }]
  for (const message of [...others, ...wrong.map((each) => ({ ...request, ...each }))])
    expect(askedIn(message)).toBeNull()
})

it('a deriver that is killed, stopped or sent away is replaced, and the addresses come anyway', async () => {
  const { derive, kept, children, failures } = begin({ patienceMs: 5_000 })
  await derive(0, 1)
  const killed = derive(0, 100)
  children[0]?.kill('SIGKILL')
  expect(await killed).toHaveLength(100)
  children[1]?.kill('SIGSTOP')
  expect(await derive(100, 10)).toHaveLength(10)
  kept.distrust('it lied')
  expect(await derive(110, 10)).toHaveLength(10)
  expect(failures).toMatchObject([
    { reason: 'it ended with SIGKILL' },
    { reason: 'it did not answer' },
    { reason: 'it lied' },
  ])
  await expect.poll(() => children.map(ended)).toEqual([true, true, true, false])
})

it('a deriver that gets the signal of a terminal while it loads is replaced, and that is no error', async () => {
  const { derive, children, failures } = begin()
  const places = derive(0, 1)
  children[0]?.kill('SIGINT')
  expect(await places).toHaveLength(1)
  expect([children[0]?.signalCode, children.length, failures]).toEqual(['SIGINT', 2, []])
})

it('a deriver that is not asked any more ends, and the next request starts another', async () => {
  const { derive, children, failures } = begin({ restMs: 50 })
  await derive(0, 1)
  await expect.poll(() => ended(children[0])).toBe(true)
  expect(await derive(1, 1)).toHaveLength(1)
  expect([children.length, failures]).toEqual([2, []])
})

it('nothing is derived after the stop, and no deriver is left', async () => {
  const { derive, kept, children } = begin()
  const waiting = derive(0, 100)
  const refused = expect(waiting).rejects.toThrow('cannot be derived')
  await kept.stop()
  await refused
  await expect(derive(0, 1)).rejects.toThrow('cannot be derived')
  expect(children.map(ended)).toEqual([true])
})

it('a service fills its pools in a process of its own, also when that one is killed meanwhile', async () => {
  const folder = await makeTemporaryFolder()
  const dataDir = join(folder.path, 'data')
  const config = join(folder.path, 'config.json')
  await makeDataFolder(dataDir)
  await writeFile(config, JSON.stringify({ addresses: { ready: 300 }, rates: { sources: [] } }))
  const service = await startSluice({ SLUICE_DATA_DIR: dataDir, SLUICE_CONFIG: config })
  try {
    const deriverOf = () =>
      readFileSync(`/proc/${service.child.pid}/task/${service.child.pid}/children`, 'utf8')
        .split(' ')
        .find((pid) => pid !== '' && /deriver-process/.test(commandOf(pid)))
    await expect.poll(deriverOf, { interval: 10 }).toBeDefined()
    const first = deriverOf()
    process.kill(Number(first), 'SIGKILL')
    const guest = await startEmbeddedPostgres({ dataDir, purpose: 'command', log: () => {} })
    const short = () =>
      query(guest.url, 'select keychain from deposit_address_counters where derived - given < 300')
    await expect.poll(short).toEqual([])
    expect(deriverOf()).toBeDefined()
    expect(deriverOf()).not.toBe(first)
    await guest.stop()
  } finally {
    const pid = Number(service.child.pid)
    await service.end('SIGTERM')
    const left = readdirSync('/proc').filter((each) => /^\d+$/.test(each) && parentOf(each) === pid)
    expect(left).toEqual([])
    await folder.remove()
  }
})

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function parentOf(pid: string): number | null {
  try {
    return Number(/^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return null
  }
}
