import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceRoles } from '../src/cli/tools.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './support/processes/temporary-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = join(root, 'deploy/systemd')
const settings = readFileSync(join(root, 'docs/operating/settings.md'), 'utf8')
const guide = readFileSync(join(root, 'docs/operating/systemd.md'), 'utf8')
const installed = '/opt/sluice/'

/** The values of a unit by name, in order. */
function read(name: string): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
    if (/^(#|\[|$)/.test(line)) continue
    const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
    expect(key, `${name}: ${line}`).not.toBe('')
    values.set(key, [...(values.get(key) ?? []), value])
  }
  return values
}

const all = readdirSync(folder)
const names = all.filter((name) => name.endsWith('.service'))
const units = new Map(all.map((name) => [name, read(name)]))
const only = (name: string, key: string) => units.get(name)?.get(key)?.join(' ')

const walls = {
  NoNewPrivileges: 'yes',
  CapabilityBoundingSet: '',
  ProtectSystem: 'strict',
  ProtectHome: 'yes',
  PrivateTmp: 'yes',
  PrivateDevices: 'yes',
  ProtectProc: 'invisible',
  RestrictSUIDSGID: 'yes',
  RestrictNamespaces: 'yes',
  SystemCallFilter: '@system-service ~@privileged',
  LimitCORE: '0',
  UMask: '0077',
}

describe.each(names)('%s', (name) => {
  it('runs a program, a command and a role that exist, with settings that exist', () => {
    const [node = '', program = '', command = '', ...rest] = only(name, 'ExecStart')?.split(' ') ?? []
    expect(node).toBe(`${installed}node`)
    expect(existsSync(join(root, program.slice(installed.length))), program).toBe(true)
    const [option, role] = rest
    expect(['start', 'migrate', 'backup']).toContain(command)
    if (command === 'backup') expect(['--follow', 'verify']).toContain(option)
    else if (option !== undefined) expect(option).toBe('--role')
    if (option === '--role' && role !== '%i') expect(serviceRoles).toContain(role)
    for (const each of units.get(name)?.get('Environment') ?? [])
      expect(settings).toContain(`\`${each.slice(0, each.indexOf('='))}\``)
    for (const path of units.get(name)?.get('EnvironmentFile') ?? [])
      expect(guide).toContain(path.replace('-', '').replace('%i', 'api'))
    for (const other of (only(name, 'Requires') ?? '').split(' '))
      if (other !== '') expect(names).toContain(other)
  })

  it('has every wall', () => {
    for (const [key, value] of Object.entries(walls)) expect([key, only(name, key)]).toEqual([key, value])
    expect(only(name, 'User')).toMatch(/^sluice/)
    // With it, V8 could not run.
    expect(only(name, 'MemoryDenyWriteExecute')).toBeUndefined()
  })

  it('gets its key file as a credential, if it signs', () => {
    const signs = /start( --role signer)?$/.test(only(name, 'ExecStart') ?? '')
    const key = /backup verify/.test(only(name, 'ExecStart') ?? '')
      ? 'identity:/etc/sluice/backup-identity.txt'
      : undefined
    expect(only(name, 'LoadCredential')).toBe(signs ? 'wallet-key:/etc/sluice/wallet.key' : key)
    expect(only(name, 'Environment')?.includes('SLUICE_WALLET_KEY_FILE=%d/wallet-key') ?? false).toBe(signs)
    expect(JSON.stringify([...(units.get(name) ?? [])])).not.toContain('PASSPHRASE=')
  })
})

it('a timer tests the newest backup every week, also after the machine was off', () => {
  const timers = all.filter((name) => !names.includes(name))
  expect(timers).toEqual(['sluice-backup-verify.timer'])
  expect(names).toContain('sluice-backup-verify.service')
  expect(only('sluice-backup-verify.service', 'Type')).toBe('oneshot')
  expect([
    only('sluice-backup-verify.timer', 'OnCalendar'),
    only('sluice-backup-verify.timer', 'Persistent'),
  ]).toEqual(['weekly', 'true'])
})

it('the signer has a user and a folder of its own, and no network but this machine’s', () => {
  expect(
    new Set(
      ['sluice@.service', 'sluice-signer.service', 'sluice-migrate.service'].map((name) =>
        only(name, 'User'),
      ),
    ).size,
  ).toBe(3)
  expect(only('sluice-signer.service', 'StateDirectory')).toBe('sluice-signer')
  expect(only('sluice-signer.service', 'StateDirectoryMode')).toBe('0700')
  expect(only('sluice-signer.service', 'IPAddressDeny')).toBe('any')
  expect(only('sluice-signer.service', 'IPAddressAllow')).toBe('localhost')
})

// Where systemd is installed, it judges them itself. The last lines of `npm test` say where it is not.
const analyse = (...args: readonly string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const isMissing = analyse('--version').error !== undefined
if (isMissing) process.stdout.write('skipped: no systemd-analyze on this machine\n')

describe.skipIf(isMissing)('systemd itself', () => {
  let place: TemporaryFolder
  beforeAll(async () => {
    place = await makeTemporaryFolder()
  })
  afterAll(() => place.remove())

  /** The path of a unit whose program exists here. Users and files are the operator's to make. */
  function copyOf(name: string, change = (text: string) => text): string {
    const path = join(place.path, name.replace('@.', '@api.'))
    const text = readFileSync(join(folder, name), 'utf8')
      .replaceAll(`${installed}node`, process.execPath)
      .replaceAll(installed, root)
    writeFileSync(path, change(text))
    return path
  }
  const complaints = (...paths: readonly string[]) =>
    analyse('verify', '--man=no', ...paths)
      .stderr.split('\n')
      .filter((line) => line.includes(place.path) || /^sluice[@\w-]*\.service: /.test(line))

  it('finds nothing wrong with any of them', () => {
    expect(complaints(...all.map((name) => copyOf(name)))).toEqual([])
  })

  it('would have found a misspelled wall, and a program that is not there', () => {
    const misspelled = copyOf('sluice.service', (text) => text.replace('ProtectHome=', 'ProtectHomes='))
    expect(complaints(misspelled)).toEqual([expect.stringMatching(/Unknown key .*ProtectHomes/)])
    const missing = copyOf('sluice.service', (text) => text.replace(process.execPath, '/nowhere/node'))
    expect(complaints(missing)).toContainEqual(expect.stringContaining('/nowhere/node is not executable'))
  })

  it.each(names)('rates the exposure of %s below 2 of 10, as the guide says', (name) => {
    const judged = analyse('security', '--offline=yes', '--no-pager', copyOf(name)).stdout
    expect(Number(/Overall exposure level for .*: ([\d.]+)/.exec(judged)?.[1]), judged).toBeLessThan(2)
  })
})
