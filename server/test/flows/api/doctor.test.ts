import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/app/operator/judge-health.ts'
import { readSettings } from '../../../src/settings/settings.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { storeOn } from '../../../src/store/store.ts'
import { checkMachine } from '../../../src/wire/doctor/check-machine.ts'
import { checkNodes } from '../../../src/wire/doctor/check-nodes.ts'
import { checkMail, checkPublicUrl, checkRedis } from '../../../src/wire/doctor/check-outside.ts'
import { checkAudit, checkReadiness, checkWebhooks } from '../../../src/wire/doctor/check-readiness.ts'
import { makeCertificate } from '../../outbound/webhook-receiver.ts'
import { createEmptyDatabase, query } from '../../support/database/database.ts'
import { type Anvil, startAnvil } from '../../support/nodes/anvil.ts'
import { changing, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/processes/temporary-folder.ts'
import { startMailServer } from '../../support/servers/mail-server.ts'
import { startRedis } from '../../support/servers/redis.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

const nowhere = '127.0.0.1:1'
const secret = 'planted-secret-7f3a'
let service: TestService
let folder: TemporaryFolder
let env: Record<string, string>
beforeAll(async () => {
  service = await startTestService()
  folder = await makeTemporaryFolder()
  env = {
    SLUICE_DATA_DIR: folder.path,
    DATABASE_URL: durable(service.database.serviceUrl),
    SLUICE_SECRET_KEY: '5e'.repeat(32),
    SLUICE_PUBLIC_URL: service.url,
    SLUICE_CONFIG: configured({ rates: { sources: [] } }),
  }
})
afterAll(async () => {
  await service.stop()
  await folder.remove()
})

/** The role of the tests does not wait for the disk; a sound one does. */
function durable(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}options=-c%20synchronous_commit%3Don`
}

let files = 0
function configured(config: object): string {
  const path = join(folder.path, `config-${files++}.json`)
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 })
  return path
}
const settingsWith = (change: Record<string, string>, config: object = {}) =>
  readSettings({ ...env, SLUICE_CONFIG: configured(config), ...change })
const store = () => storeOn(owner().db)
let opened: ReturnType<typeof openDatabase> | null = null
const owner = () => {
  opened ??= openDatabase(service.database.url, { maxConnections: 1, waitMs: 60_000, onIdleError: () => {} })
  return opened
}
afterAll(() => opened?.close())

async function doctor(change: Record<string, string> = {}) {
  const { code, stdout } = await runCommand(['doctor', '--json'], { ...env, ...change })
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Finding[] }
  return { code, ok, checks, of: (name: string) => checks.filter(({ check }) => check === name) }
}

describe('npx sluice doctor', () => {
  it('finds no problem in a sound set-up, says what could be better, and exits with 0', async () => {
    const { code, ok, checks, of } = await doctor()
    expect(checks.filter(({ state }) => state === 'problem')).toEqual([])
    expect([code, ok]).toEqual([0, true])
    for (const name of [
      'time',
      'permissions',
      'database',
      'roles',
      'nodes',
      'public_url',
      'webhooks',
      'live',
    ])
      expect(
        of(name).map(({ state }) => state),
        name,
      ).toEqual(['ok'])
    // How full the disk of this machine is does not matter here.
    expect(of('disk')).toHaveLength(1)
    for (const name of ['backups', 'mail', 'audit'])
      expect(of(name), name).toMatchObject([{ state: 'warning', todo: expect.any(String) }])
  })

  it('prints a line for each check, with what to do, for people', async () => {
    const { code, stdout } = await runCommand(['doctor'], env)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ok {7}time: This machine’s clock/m)
    expect(stdout).toMatch(/^WARNING {2}mail: No mail is sent.*\n {9}→ Set SMTP_URL\.$/m)
    expect(stdout).toMatch(/\n0 problems, \d+ warnings\.\n$/)
  })

  it('names every problem of a bad set-up, exits with 1, and shows no secret', async () => {
    const gates = [
      {
        network: 'ethereum',
        environment: 'test',
        kind: 'evm',
        chain_id: 31_337,
        rpc_url: `http://${nowhere}/v3/${secret}`,
      },
    ]
    const bad = {
      DATABASE_URL: `postgres://sluice:${secret}@${nowhere}/sluice`,
      REDIS_URL: `redis://:${secret}@${nowhere}`,
      SMTP_URL: `smtp://ada:${secret}@${nowhere}`,
      SLUICE_PUBLIC_URL: `http://${nowhere}`,
      SLUICE_CONFIG: configured({ gates, rates: { sources: [] } }),
    }
    const { code, stdout, stderr } = await runCommand(['doctor'], { ...env, ...bad })
    expect(code).toBe(1)
    for (const name of ['database', 'nodes', 'public_url', 'mail', 'redis'])
      expect(stdout).toMatch(new RegExp(`^PROBLEM {2}${name}: .*\\n {9}→ .+$`, 'm'))
    expect(stdout + stderr).not.toContain(secret)
  })

  it('changes nothing: a database without tables, or behind, is reported and not migrated', async () => {
    const empty = await createEmptyDatabase()
    try {
      const { of } = await doctor({ DATABASE_URL: empty.url })
      expect(of('database')).toMatchObject([{ state: 'warning', says: expect.stringContaining('no tables') }])
      expect(await query(empty.url, `select from pg_tables where schemaname = 'public'`)).toEqual([])
    } finally {
      await empty.drop()
    }
    const { url } = service.database
    const [newest] = await query(
      url,
      'delete from schema_migrations where number = (select max(number) from schema_migrations) returning *',
    )
    try {
      expect((await doctor()).of('database')).toMatchObject([
        { state: 'problem', says: 'The schema lacks 1 migrations.', todo: 'Run: npx sluice migrate' },
      ])
    } finally {
      await query(
        url,
        'insert into schema_migrations (number, name, checksum, applied_at) values ($1, $2, $3, $4)',
        [newest?.number, newest?.name, newest?.checksum, newest?.applied_at],
      )
    }
  })

  it('finds a server that could lose what was committed', async () => {
    expect((await doctor({ DATABASE_URL: service.database.serviceUrl })).of('database')).toMatchObject([
      { state: 'ok' },
      { state: 'problem', says: expect.stringContaining('synchronous_commit is off') },
    ])
  })

  it('warns of a role that owns the tables', async () => {
    const { of } = await doctor({ DATABASE_URL: service.database.url })
    expect(of('roles')).toMatchObject([{ state: expect.stringMatching(/warning|problem/) }])
  })

  it('without a database yet, it says so and checks the rest', async () => {
    const { code, of } = await doctor({ DATABASE_URL: '', SLUICE_DATA_DIR: join(folder.path, 'new') })
    expect(code).toBe(0)
    expect(of('database')).toMatchObject([{ state: 'warning', todo: 'Run: npx sluice start' }])
    expect(of('disk')).toHaveLength(1)
  })
})

it('permissions: a wallet, a key file or a config file that others may read is a problem or a warning', async () => {
  const dataDir = join(folder.path, 'modes')
  mkdirSync(join(dataDir, 'wallet'), { recursive: true, mode: 0o700 })
  const wallet = join(dataDir, 'wallet', 'live-wallet.json')
  writeFileSync(wallet, '{}', { mode: 0o600 })
  for (const name of ['signer.lock', 'signer.lock-journal'])
    writeFileSync(join(dataDir, 'wallet', name), '', { mode: 0o644 })
  const key = join(dataDir, 'key')
  writeFileSync(key, 'x', { mode: 0o600 })
  const config = configured({
    gates: [
      {
        network: 'ethereum',
        environment: 'test',
        kind: 'evm',
        chain_id: 31_337,
        rpc_url: `http://a:b@${nowhere}`,
      },
    ],
  })
  const settings = () =>
    settingsWith({ SLUICE_DATA_DIR: dataDir, SLUICE_WALLET_KEY_FILE: key, SLUICE_CONFIG: config })
  const states = async () =>
    (await checkMachine(settings(), config))
      .filter(({ check }) => check === 'permissions')
      .map(({ state, todo }) => `${state} ${todo}`)
  expect(await states()).toEqual(['ok null'])
  for (const [path, mode, todo] of [
    [wallet, 0o640, 'problem Run: chmod go-rwx'],
    [join(dataDir, 'wallet'), 0o755, 'problem Run: chmod go-rwx'],
    [key, 0o644, 'problem Run: chmod go-rwx'],
    [dataDir, 0o777, 'problem Run: chmod go-w'],
    [config, 0o666, 'problem Run: chmod go-w'],
    [config, 0o644, 'warning Run: chmod o-r'],
  ] as const) {
    chmodSync(path, mode)
    expect(await states(), path).toEqual([`${todo} ${path}`])
    chmodSync(path, path === dataDir || path.endsWith('wallet') ? 0o700 : 0o600)
  }
})

describe('nodes', () => {
  let node: Anvil
  beforeAll(async () => {
    node = await startAnvil()
  })
  afterAll(() => node.giveBack())

  async function states(urls: readonly string[], chainId = 31_337) {
    const gate = { network: 'ethereum', environment: 'test', kind: 'evm', chain_id: chainId, rpc_urls: urls }
    const { assets, config } = settingsWith({}, { gates: [gate] })
    return (await checkNodes(assets, config.gates)).map(({ state }) => state)
  }

  it('each is asked by itself: one that is well, one that is down, one on another chain, one that is behind', async () => {
    const proxy = await startFaultProxy(node.url)
    try {
      expect(await states([node.url, `http://${nowhere}`])).toEqual(['ok', 'problem'])
      expect(await states([node.url], 5)).toEqual(['problem'])
      proxy.fault = changing('eth_syncing', () => ({ currentBlock: '0x1', highestBlock: '0xff' }))
      expect(await states([proxy.url])).toEqual(['warning'])
    } finally {
      await proxy.close()
    }
  })
})

it('public address: one that leads elsewhere, and a certificate that is not trusted, are problems', async () => {
  const answering = createServer(makeCertificate('DNS:localhost'), (_, response) =>
    response.end('another program'),
  )
  await new Promise<void>((resolve) => answering.listen(0, '127.0.0.1', resolve))
  const { port } = answering.address() as AddressInfo
  try {
    const found = await checkPublicUrl(settingsWith({ SLUICE_PUBLIC_URL: `https://localhost:${port}` }))
    expect(found).toMatchObject([
      { check: 'tls', state: 'problem', says: expect.stringContaining('is not trusted') },
      { check: 'public_url', state: 'problem' },
    ])
  } finally {
    answering.closeAllConnections()
    answering.close()
  }
  expect(
    await checkPublicUrl(settingsWith({ SLUICE_PUBLIC_URL: `${service.url.replace('http:', 'https:')}` })),
  ).toMatchObject([
    { check: 'tls', state: 'problem', says: expect.stringContaining('does not speak TLS') },
    { state: 'problem' },
  ])
  expect(await checkPublicUrl(settingsWith({ SLUICE_PUBLIC_URL: '' }))).toMatchObject([{ state: 'warning' }])
})

it('mail and Redis: asked for real, and nothing is sent', async () => {
  const [mail, redis] = [await startMailServer(), await startRedis()]
  try {
    expect(await checkMail(settingsWith({ SMTP_URL: mail.url }))).toMatchObject({ state: 'ok' })
    expect(mail.mails).toEqual([])
    expect(await checkRedis(settingsWith({ REDIS_URL: redis.url }))).toMatchObject({ state: 'ok' })
    expect(await checkRedis(settingsWith({}))).toBeNull()
  } finally {
    await Promise.all([mail.stop(), redis.stop()])
  }
})

it('webhooks and the audit: an endpoint that cannot be reached, and an audit that failed or is old', async () => {
  const { url } = service.database
  const merchantId = await service.makeMerchant()
  expect(await checkWebhooks(settingsWith({}), store())).toMatchObject({ state: 'ok' })
  await query(
    url,
    `insert into webhook_endpoints (id, merchant_id, environment, url, secret)
     values (gen_random_uuid(), $1, 'test', 'https://10.1.2.3/hook/${secret}', 'x')`,
    [merchantId],
  )
  const found = await checkWebhooks(settingsWith({}), store())
  expect(found).toMatchObject({ state: 'warning', says: expect.stringContaining('10.1.2.3') })
  expect(found.says).not.toContain(secret)
  expect(await checkWebhooks(settingsWith({ SLUICE_WEBHOOK_ALLOW: '10.1.2.3' }), store())).toMatchObject({
    state: 'ok',
  })

  const now = new Date()
  await query(url, 'insert into audits (ok) values (true)')
  expect(await checkAudit(store(), now)).toMatchObject({ state: 'ok' })
  expect(await checkAudit(store(), new Date(now.getTime() + 8 * 86_400_000))).toMatchObject({
    state: 'warning',
  })
  await query(url, 'insert into audits (ok) values (false)')
  expect(await checkAudit(store(), now)).toMatchObject({ state: 'problem' })
})

it('live payouts: limits, a wallet, a cold wallet and safeguards must be in place', async () => {
  const gates = [
    {
      network: 'bitcoin',
      environment: 'live',
      kind: 'bitcoin',
      chain: 'main',
      rpc_url: `http://a:b@${nowhere}`,
    },
  ]
  const limits = [{ network: 'bitcoin', environment: 'live', currency: 'BTC', per_day: '1' }]
  const said = async (config: object, change: Record<string, string> = {}) =>
    (await checkReadiness(settingsWith(change, config), store()))
      .map(({ state, says }) => `${state}: ${says}`)
      .join('\n')
  const bare = await said({ gates })
  expect(bare).toMatch(/problem: No limit bounds how much BTC leaves bitcoin-live/)
  expect(bare).toMatch(/warning: bitcoin-live has no cold wallet/)
  expect(bare).toMatch(/problem: There is no live wallet yet/)
  const bounded = await said({ gates, signer: { limits } })
  expect(bounded).not.toContain('No limit bounds')
  expect(await said({ gates, signer: { limits, waive: ['passkeys'] } })).toContain(
    'problem: The signer waives passkeys',
  )
  expect(await said({ gates }, { SLUICE_SECRET_KEY: '' })).toContain('problem: SLUICE_SECRET_KEY is not set')
  expect(await said({})).toBe('ok: No live gate is configured: this is a sandbox.')
})
