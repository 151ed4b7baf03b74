import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

// biome-ignore lint/suspicious/noExplicitAny: tests compare the fields they need
type Row = any

export type Failure = {
  readonly class: string
  readonly message: string
  readonly code?: string
  readonly status?: number
  readonly details?: readonly string[]
  readonly request_id?: string | null
  readonly retry_after?: number | null
  readonly timed_out?: boolean
}

/** What a call came to. `waits` are the seconds that the client would have slept. */
export type Outcome = {
  readonly data?: Row
  readonly request_id?: string | null
  readonly replayed?: boolean
  readonly has_more?: boolean | null
  readonly error?: Failure
  readonly waits: readonly number[]
}

export type ClientOptions = {
  readonly base_url: string
  readonly api_key?: string
  readonly timeout?: number
  readonly max_retries?: number
}

/** What the client is asked to do, by `do`; the probe of each language says what it does. */
export type Ask = { readonly do: string } & Record<string, unknown>

export type Language = {
  readonly name: string
  ask(ask: Ask): Promise<Outcome>
  end(): Promise<void>
}

const file = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The languages that a client is written in, with Debian's interpreters. */
export const languages: readonly Settings[] = [
  {
    name: 'Python',
    command: ['/usr/bin/python3', '-W', 'error', file('python/test/probe.py')],
    env: { PYTHONPATH: file('python/src'), PYTHONDONTWRITEBYTECODE: '1' },
  },
  {
    name: 'PHP',
    // Exceptions with all arguments, as on a developer's machine: the key must not be among them.
    command: ['/usr/bin/php', '-d', 'zend.exception_ignore_args=0', file('php/test/probe.php')],
    env: {},
  },
]

type Settings = {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
}

/** Starts the probe of a language: a process that uses the client as it is told. */
export function startLanguage({ name, command, env }: Settings): Language {
  const [program, ...args] = command
  const child: ChildProcess = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  let complaints = ''
  child.stderr?.on('data', (chunk) => {
    complaints += chunk
  })
  const waiting: { resolve: (outcome: Outcome) => void; reject: (error: Error) => void }[] = []
  if (child.stdout === null) throw new Error(`${name} has no output`)
  createInterface({ input: child.stdout }).on('line', (line) => {
    try {
      waiting.shift()?.resolve(JSON.parse(line))
    } catch {
      complaints += line
    }
  })
  let hasEnded = false
  const ended = once(child, 'close').then(() => {
    hasEnded = true
    for (const { reject } of waiting) reject(new Error(`${name} ended:\n${complaints}`))
  })
  return {
    name,
    ask: (ask) =>
      new Promise((resolve, reject) => {
        if (hasEnded) reject(new Error(`${name} ended:\n${complaints}`))
        waiting.push({ resolve, reject })
        child.stdin?.write(`${JSON.stringify(ask)}\n`)
      }),
    async end() {
      child.stdin?.end()
      await ended
      // Warnings count too: they would be on a merchant's pages.
      if (complaints !== '') throw new Error(`${name} complained:\n${complaints}`)
    },
  }
}
