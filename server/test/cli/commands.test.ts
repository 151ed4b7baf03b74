import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packaged from '../../package.json' with { type: 'json' }
import type { EmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { letGo, query } from '../support/database/database.ts'
import { startOwnPostgres } from '../support/processes/data-folder.ts'
import { runCommand } from '../support/processes/run-command.ts'
import { runSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

let folder: TemporaryFolder
let postgres: EmbeddedPostgres
let env: Record<string, string>
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  // It runs as it does beside a service, so that no command has to start and stop it.
  postgres = await startOwnPostgres(folder.path)
  env = { SLUICE_DATA_DIR: folder.path }
})
afterAll(async () => {
  await letGo('sluice')
  await postgres.stop()
  await folder.remove()
})

it('merchants and keys are created, listed without secrets, and revoked', async () => {
  const merchant = JSON.parse(
    (await runCommand(['merchant', 'create', '--name', 'My shop', '--json'], env)).stdout,
  )
  const made = JSON.parse(
    (
      await runCommand(
        [
          '--json',
          'key',
          'create',
          '--merchant',
          merchant.merchant_id,
          '--environment',
          'live',
          '--permissions',
          'events:read,invoices:read',
        ],
        env,
      )
    ).stdout,
  )
  expect(made.key).toMatch(/^sk_live_[0-9a-f]{64}$/)
  const listed = await runCommand(['key', 'list', '--json'], env)
  expect(listed.stdout).not.toContain(made.key.slice(8, -4))
  expect(JSON.parse(listed.stdout).keys).toMatchObject([
    {
      key_id: made.key_id,
      environment: 'live',
      permissions: ['events:read', 'invoices:read'],
      revoked_at: null,
    },
  ])
  const revoked = JSON.parse((await runCommand(['key', 'revoke', made.key_id, '--json'], env)).stdout)
  expect(revoked.revoked_at).toMatch(/Z$/)
  const again = JSON.parse((await runCommand(['key', 'revoke', made.key_id, '--json'], env)).stdout)
  expect(again).toEqual(revoked)
})

it('--version prints the version', async () => {
  const { code, stdout } = await runSluice(['--version'], env)
  expect([code, stdout]).toEqual([0, `${packaged.version}\n`])
})

it('with --json, standard output is one line of JSON and nothing else', async () => {
  const { stdout } = await runSluice(['migrate', '--json'], env)
  expect(stdout).toBe('{"migrated":true}\n')
})

it('audit says that correct books are correct, and names what is wrong with exit code 1', async () => {
  const right = await runSluice(['audit', '--json'], env)
  expect(right.code).toBe(0)
  expect(JSON.parse(right.stdout)).toMatchObject({ ok: true, differences: [] })

  await query(
    postgres.url,
    `insert into list_counts (list, merchant_id, environment, facet, difference)
    select 'events', id, 'test', 'invoice.paid', 3 from merchants`,
  )
  const wrong = await runSluice(['audit'], env)
  expect(wrong.code).toBe(1)
  expect(wrong.stdout).toMatch(
    /^The books are wrong:\n {2}list events .* its kept length is 3, it has 0 rows\n$/,
  )
})

it('users are created, invited and reset by a printed link, listed without secrets, disabled and enabled again', async () => {
  const run = async (...args: string[]) => JSON.parse((await runCommand([...args, '--json'], env)).stdout)
  const { merchant_id: merchant } = await run('merchant', 'create', '--name', 'Shop with people')
  const person = ['--email', 'ann@example.com']
  const made = await run('user', 'create', '--merchant', merchant, ...person, '--role', 'owner')
  expect(made.password).toMatch(/^[\w-]{23}$/)
  const bob = ['--email', 'bob@example.com', '--role', 'viewer']
  const invited = await run('user', 'invite', '--merchant', merchant, ...bob)
  expect(invited.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/invitation#[\w-]{43}$/)
  const reset = await run('user', 'reset', ...person, '--remove-second-factors')
  expect(reset.link).toMatch(/\/dashboard\/reset#[\w-]{43}$/)
  expect((await run('user', 'disable', ...person)).is_disabled).toBe(true)
  const { users } = await run('user', 'list')
  expect(users).toMatchObject([
    { email: 'ann@example.com', second_factors: [], memberships: [{ role: 'owner' }] },
  ])
  expect(users[0].disabled_at).toMatch(/Z$/)
  expect(JSON.stringify(users)).not.toContain('argon2')
  expect((await run('user', 'enable', ...person)).is_disabled).toBe(false)
  const unknown = await runCommand(['user', 'reset', '--email', 'nobody@example.com'], env)
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    'There is no user with the e-mail address nobody@example.com.\n',
  ])
})

describe('an error is explained in plain words, with the next step and exit code 1', () => {
  const id = '01890000-0000-7000-8000-000000000000'
  it.each([
    [
      'an unknown merchant',
      ['key', 'create', '--merchant', id, '--environment', 'test', '--permissions', 'all'],
      'There is no merchant',
    ],
    ['an invalid id', ['key', 'revoke', 'x'], 'must be a UUID'],
    ['an unknown key', ['key', 'revoke', id], 'npx sluice key list'],
    [
      'an unknown permission',
      ['key', 'create', '--merchant', id, '--environment', 'test', '--permissions', 'everything'],
      'Allowed: all, or invoices:read',
    ],
    ['a missing option', ['merchant', 'create'], '--name'],
    ['an empty name', ['merchant', 'create', '--name', ' '], 'must not be empty'],
    ['an unknown command', ['pay'], '--help'],
  ])('%s', async (_, args, words) => {
    const { code, stdout, stderr } = await runCommand(args, env)
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('    at ')
  })

  it('all problems with the settings are reported at once', async () => {
    const config = join(folder.path, 'bad.json')
    await writeFile(
      config,
      JSON.stringify({
        limits: { key_per_minute: 0 },
        gatez: [],
        confirmations: { btc: 1 },
        rates: { sources: ['x'] },
      }),
    )
    const { code, stderr } = await runSluice(['start'], {
      ...env,
      PORT: '99999',
      DATABASE_URL: 'mysql://x',
      SLUICE_TRUSTED_PROXIES: 'proxy.example',
      SLUICE_CONFIG: config,
    })
    expect(code).toBe(1)
    for (const named of [
      'PORT',
      'DATABASE_URL',
      'SLUICE_TRUSTED_PROXIES',
      '/limits/key_per_minute',
      '/gatez',
      '/confirmations/btc',
      '/rates/sources/0',
    ]) {
      expect(stderr).toContain(named)
    }
  })

  it('a database that does not answer is reported', async () => {
    const { code, stderr } = await runSluice(['merchant', 'list'], {
      DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
    })
    expect(code).toBe(1)
    expect(stderr).toContain('The database does not answer: connect ECONNREFUSED 127.0.0.1:1')
    expect(stderr).not.toContain('    at ')
  })
})

it.each([[[]], [['start']], [['audit']], [['key', 'create']], [['merchant']]])(
  '--help of %j explains the command',
  async (args) => {
    const { code, stdout } = await runCommand([...args, '--help'], env)
    expect(code).toBe(0)
    expect(stdout).toContain('Usage: sluice')
  },
)
