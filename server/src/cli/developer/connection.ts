import type { Command } from 'commander'
import { isApiKey } from '../../domain/api-keys.ts'
import type { Environment } from '../../domain/environment.ts'
import { withJson } from '../answer.ts'
import { UsageError } from '../failure.ts'
import type { Tools } from '../tools.ts'
import { endWhenUnread } from './unread.ts'

export const defaultUrl = 'http://127.0.0.1:8080'

/** A running Sluice and who is calling it. */
export type Connection = {
  /** Without a slash at the end, and without `/api`. */
  readonly url: string
  readonly key: string
  readonly environment: Environment
  readonly isDemo: boolean
}

export type ConnectionOptions = { readonly url?: string; readonly key?: string }

/** Adds `--url`, `--key` and `--json`. */
export function withConnection(command: Command): Command {
  return withJson(command)
    .hook('preAction', endWhenUnread)
    .option('--url <url>', `where Sluice runs (default: SLUICE_URL, or ${defaultUrl})`)
    .option('--key <key>', 'the API key (default: SLUICE_API_KEY, or the demo merchant’s on its own machine)')
}

/** Which service to call: by option, by environment variable, or the demo of a service on this machine. */
export async function readConnection(
  tools: Pick<Tools, 'readDemo' | 'readSettings'>,
  options: ConnectionOptions,
): Promise<Connection> {
  const given = options.url ?? fromEnvironment('SLUICE_URL')
  const key = options.key ?? fromEnvironment('SLUICE_API_KEY')
  const url = readUrl(given ?? defaultUrl)
  if (key !== undefined) return connectionTo(url, key, false)
  // Its key goes nowhere but to this machine.
  const demo = given === undefined ? await tools.readDemo(tools.readSettings()) : null
  if (demo === null)
    throw new UsageError(
      'Which API key? Set SLUICE_API_KEY or pass --key. The operator makes keys in the dashboard, or with: ' +
        'npx sluice key create --merchant ID --environment test --permissions all',
    )
  return connectionTo(url, demo.key, true)
}

function fromEnvironment(name: 'SLUICE_URL' | 'SLUICE_API_KEY'): string | undefined {
  const text = process.env[name]?.trim()
  return text === '' ? undefined : text
}

function connectionTo(url: string, key: string, isDemo: boolean): Connection {
  // The text itself stays out of the message: it may be most of a key.
  if (!isApiKey(key))
    throw new UsageError('That is no API key: one looks like sk_test_ or sk_live_ and 64 hexadecimal digits.')
  return { url, key, environment: key.startsWith('sk_live_') ? 'live' : 'test', isDemo }
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url !== null && url.username === '' && url.password === '' && !/[?#]/.test(text)
  if (url === null || !isPlain || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(
      'The URL of Sluice (--url, SLUICE_URL) must be like https://pay.example.com, without user, query or fragment.',
    )
  return url.href.replace(/\/+$/, '').replace(/\/api$/, '')
}
