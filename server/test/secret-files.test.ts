import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { secretSettings } from '../src/settings/secret-files.ts'
import { readSettings, type Settings } from '../src/settings/settings.ts'
import { nodeFlags, processEnv } from '../src/wire/isolation.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './support/processes/temporary-folder.ts'

const values: Record<(typeof secretSettings)[number], string> = {
  DATABASE_URL: 'postgres://service:one@127.0.0.1/sluice',
  DATABASE_MIGRATION_URL: 'postgres://owner:two@127.0.0.1/sluice',
  REDIS_URL: 'redis://:three@127.0.0.1',
  SLUICE_SECRET_KEY: '04'.repeat(32),
  SMTP_URL: 'smtps://user:five@127.0.0.1:465',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=six',
  SLUICE_REPLICA_URL: 'postgres://service:seven@127.0.0.2/sluice',
  SLUICE_BACKUP_S3_SECRET: 'six',
  SLUICE_BACKUP_DATABASE_URL: 'postgres://backup:seven@127.0.0.1/sluice',
}

let folder: TemporaryFolder
let env: Record<string, string>
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  env = {}
  for (const name of secretSettings) {
    const path = join(folder.path, name.toLowerCase())
    await writeFile(path, `${values[name]}\n`)
    env[`${name}_FILE`] = path
  }
})
afterAll(() => folder.remove())

it('a secret in a file counts as if it were in the environment', () => {
  const secrets = ({
    databaseUrl,
    databaseMigrationUrl,
    redisUrl,
    secretKey,
    smtpUrl,
    tracing,
    replicaUrl,
    backup,
  }: Settings) => [
    databaseUrl,
    databaseMigrationUrl,
    redisUrl,
    secretKey?.toString('hex'),
    smtpUrl,
    `authorization=${tracing?.headers.authorization}`,
    replicaUrl,
    backup.s3?.secret(),
    backup.databaseUrl,
  ]
  const beside = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    SLUICE_BACKUP_S3_ENDPOINT: 'https://s3.example.com',
    SLUICE_BACKUP_S3_KEY_ID: 'id',
  }
  const read = secrets(readSettings({ ...env, ...beside }))
  expect(read).toEqual(secretSettings.map((name) => values[name]))
  expect(secrets(readSettings({ ...values, ...beside }))).toEqual(read)
})

it('a file that is missing or empty, or a value beside it, is refused, and the secret is not repeated', async () => {
  const empty = join(folder.path, 'empty')
  await writeFile(empty, '\n')
  const wrong = {
    ...env,
    DATABASE_URL: values.DATABASE_URL,
    REDIS_URL_FILE: join(folder.path, 'missing'),
    SMTP_URL_FILE: empty,
  }
  const refusal = () => readSettings(wrong)
  expect(refusal).toThrow('DATABASE_URL and DATABASE_URL_FILE are both set: keep one')
  expect(refusal).toThrow(`REDIS_URL_FILE: ${wrong.REDIS_URL_FILE} cannot be read`)
  expect(refusal).toThrow(`SMTP_URL_FILE: ${empty} is empty`)
  expect(refusal).not.toThrow(':one@')
})

it('each process may read its own files and no others: only the supervisor knows the owner, and the signer no mail server or collector', () => {
  const settings = readSettings(env)
  const readable = (part: 'service' | 'signer') =>
    secretSettings.filter((name) =>
      nodeFlags(part, settings, env).includes(`--allow-fs-read=${env[`${name}_FILE`]}`),
    )
  const named = (part: 'service' | 'signer') =>
    secretSettings.filter((name) => `${name}_FILE` in processEnv(part, env))
  const ofSigner = ['DATABASE_URL', 'REDIS_URL', 'SLUICE_SECRET_KEY']
  expect([readable('signer'), named('signer')]).toEqual([ofSigner, ofSigner])
  const ofService = [...ofSigner, 'SMTP_URL', 'OTEL_EXPORTER_OTLP_HEADERS', 'SLUICE_REPLICA_URL']
  expect([readable('service'), named('service')]).toEqual([ofService, ofService])
})

it('the page on settings names every one of them', () => {
  const page = readFileSync(new URL('../../docs/operating/settings.md', import.meta.url), 'utf8')
  for (const name of secretSettings) expect(page).toContain(`${name}_FILE`)
})
