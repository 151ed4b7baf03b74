import { type Command, InvalidArgumentError, Option } from 'commander'
import { createKey } from '../app/keys/create-key.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { ServiceError } from '../domain/errors.ts'
import { isPermission, type Permission, permissions } from '../domain/permissions.ts'
import { runOnApp, withJson } from './answer.ts'
import { readId, readName } from './arguments.ts'
import type { Tools } from './tools.ts'

export function addKeyCommands(program: Command, tools: Tools): void {
  const key = program.command('key').description('API keys: what a merchant’s programs show to be let in')

  withJson(key.command('create'))
    .description('make a key and show it, once')
    .requiredOption('--merchant <id>', 'whose key', readId)
    .addOption(
      new Option('--environment <name>', 'which world').choices([...environments]).makeOptionMandatory(),
    )
    .requiredOption('--permissions <list>', 'comma-separated permissions, or all', readPermissions)
    .option('--name <name>', 'what the key is for', readName, 'API key')
    .addHelpText(
      'after',
      `
Permissions:
  ${permissions.join('\n  ')}

Give a key only what its program needs. Live keys belong on servers only.

Example:
  $ npx sluice key create --merchant ID --environment test --permissions invoices:read,invoices:write`,
    )
    .action(
      (
        options: { merchant: string; environment: Environment; permissions: Permission[]; name: string },
        command: Command,
      ) =>
        runOnApp(
          tools,
          command,
          async (app) => {
            const made = await createKey(app, { ...options, merchantId: options.merchant })
            return { key_id: made.keyId, key: made.key }
          },
          ({ key_id, key: secret }) =>
            `Key ${key_id} is made. Keep it now, it is not shown again:\n${secret}`,
        ),
    )

  withJson(key.command('list'))
    .description('list keys, never their secrets')
    .option('--merchant <id>', 'only of this merchant', readId)
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
            created_at: each.createdAt.toISOString(),
            revoked_at: each.revokedAt?.toISOString() ?? null,
          })),
        }),
        ({ keys }) =>
          keys.length === 0
            ? 'No keys yet. See: npx sluice key create --help'
            : keys
                .map((each) => {
                  const state = each.revoked_at === null ? 'good' : `revoked ${each.revoked_at}`
                  return `${each.key_id}  ${each.hint}  ${each.environment}  ${state}  ${each.name}`
                })
                .join('\n'),
      ),
    )

  withJson(key.command('revoke'))
    .description('end a key; every running process refuses it within 5 seconds')
    .argument('<id>', 'the key’s id, from key list', readId)
    .action((id: string, _options, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const revoked = await app.store.apiKeys.revoke(id)
          if (revoked === null) {
            throw new ServiceError('not_found', `There is no key ${id}. See: npx sluice key list`)
          }
          return { key_id: revoked.id, revoked_at: revoked.revokedAt?.toISOString() ?? null }
        },
        ({ key_id, revoked_at }) => `Key ${key_id} is revoked since ${revoked_at}.`,
      ),
    )
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
