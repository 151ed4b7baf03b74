import { type Command, InvalidArgumentError, Option } from 'commander'
import { issueKey } from '../app/keys/issue-key.ts'
import { revokeKey } from '../app/keys/revoke-key.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { ServiceError } from '../domain/errors.ts'
import { readKeyPlaces } from '../domain/key-places.ts'
import { isPermission, type Permission, permissions } from '../domain/permissions.ts'
import { actorFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import { readId, readName } from './arguments.ts'
import type { Tools } from './tools.ts'

type CreateOptions = {
  readonly merchant: string
  readonly environment: Environment
  readonly permissions: Permission[]
  readonly name: string
  readonly expires?: Date
  readonly allowIp?: readonly string[]
  readonly as?: string
}

export function addKeyCommands(program: Command, tools: Tools): void {
  const key = program.command('key').description('API keys: credentials for a merchant’s backend')

  withName(withJson(key.command('create')))
    .description('create a key and show it once')
    .requiredOption('--merchant <id>', 'the merchant', readId)
    .addOption(
      new Option('--environment <name>', 'the environment').choices([...environments]).makeOptionMandatory(),
    )
    .requiredOption('--permissions <list>', 'comma-separated permissions, or all', readPermissions)
    .option('--name <name>', 'what the key is for', readName, 'API key')
    .option(
      '--expires <time>',
      'when it expires, such as 2027-01-31 or 2027-01-31T12:00:00Z (default: never)',
      readTime,
    )
    .option('--allow-ip <range...>', 'IP addresses and CIDRs that may use it (default: any)')
    .addHelpText(
      'after',
      `
Permissions:
  ${permissions.join('\n  ')}

Give a key only the permissions it needs. Keep live keys on servers only.

Example:
  $ npx sluice key create --merchant ID --environment test --permissions invoices:read,invoices:write`,
    )
    .action((options: CreateOptions, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const { merchant, environment, permissions: granted, name, expires = null } = options
          const allowedIps = options.allowIp === undefined ? null : placesFrom(options.allowIp)
          const made = await issueKey(app, actorFrom(options), {
            merchantId: merchant,
            environment,
            permissions: granted,
            name,
            expiresAt: expires,
            allowedIps,
          })
          return { key_id: made.keyId, key: made.key }
        },
        ({ key_id, key: secret }) => `Key ${key_id} created. Store it now, it is not shown again:\n${secret}`,
      ),
    )

  withJson(key.command('list'))
    .description('list keys without their secrets')
    .option('--merchant <id>', 'only keys of this merchant', readId)
    .action((options: { merchant?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => ({
          keys: (await app.store.apiKeys.list(options.merchant ?? null)).map((each) => ({
            key_id: each.id,
            merchant_id: each.merchantId,
            environment: each.environment,
            name: each.name,
            hint: each.hint,
            permissions: each.permissions,
            expires_at: each.expiresAt?.toISOString() ?? null,
            allowed_ips: each.allowedIps,
            last_used_at: each.lastUsedAt?.toISOString() ?? null,
            created_by: each.createdBy,
            created_at: each.createdAt.toISOString(),
            revoked_at: each.revokedAt?.toISOString() ?? null,
          })),
        }),
        ({ keys }) =>
          keys.length === 0
            ? 'No keys yet. See: npx sluice key create --help'
            : keys
                .map((each) => {
                  const ends = each.expires_at === null ? 'active' : `active until ${each.expires_at}`
                  const state = each.revoked_at === null ? ends : `revoked ${each.revoked_at}`
                  return `${each.key_id}  ${each.hint}  ${each.environment}  ${state}  ${each.name}`
                })
                .join('\n'),
      ),
    )

  withName(withJson(key.command('revoke')))
    .description('revoke a key; every running process refuses it within 5 seconds')
    .argument('<id>', 'the key’s id, from key list', readId)
    .action((id: string, options: { as?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          if ((await app.store.apiKeys.find(id)) === null)
            throw new ServiceError('not_found', `There is no key ${id}. See: npx sluice key list`)
          const revoked = await revokeKey(app, actorFrom(options), id)
          return { key_id: revoked.id, revoked_at: revoked.revokedAt?.toISOString() ?? null }
        },
        ({ key_id, revoked_at }) => `Key ${key_id} was revoked at ${revoked_at}.`,
      ),
    )
}

function placesFrom(texts: readonly string[]): string[] {
  const wrong = texts.filter((text) => readKeyPlaces([text]).problems.length > 0)
  if (wrong.length > 0)
    throw new ServiceError(
      'validation_error',
      `${wrong.join(', ')}: not an IP address or CIDR such as 203.0.113.0/24 (--allow-ip).`,
    )
  return [...texts]
}

function readTime(text: string): Date {
  const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN)
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It must look like 2027-01-31 or 2027-01-31T12:00:00Z.')
  return time
}

function readPermissions(text: string): Permission[] {
  if (text === 'all') return [...permissions]
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !isPermission(name))
  if (unknown.length > 0) {
    throw new InvalidArgumentError(
      `Unknown: ${unknown.join(', ')}. Allowed: all, or ${permissions.join(', ')}.`,
    )
  }
  return [...new Set(names.filter(isPermission))]
}
