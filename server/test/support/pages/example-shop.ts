import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { laySdk } from '../../../../scripts/release/parts.ts'
import { cloneTo, ordinaryUser, type User } from '../processes/fresh-clone.ts'
import { eventually } from '../servers/hook-receiver.ts'
import { root } from './code-blocks.ts'

export type Shop = { readonly url: string; said(): string; stop(): Promise<void> }

/** A shop whose commands run in a folder: its own, or a copy with what they need. */
export type Example = {
  readonly name: string
  /** Makes the folder ready, in or beside a temporary one. */
  prepare(temporary: string): Promise<string>
  /** The lines of its page that are not run, since they fetch. */
  readonly fetches: readonly string[]
  readonly user?: User
}

const at = (name: string) => join(root, 'examples', name)
const bin = dirname(process.execPath)

/** Installs what the lock file says, once for each state of it, and today's client. */
async function installed(name: string): Promise<string> {
  const folder = at(name)
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const stamp = join(folder, 'node_modules/.installed')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
    execFileSync('npm', ['ci', '--prefer-offline'], { cwd: folder, env, stdio: 'pipe' })
    writeFileSync(stamp, lock)
  }
  await laySdk(join(folder, 'node_modules/@sluice/sdk'))
  return folder
}

export const express: Example = {
  name: 'express-shop',
  prepare: () => installed('express-shop'),
  fetches: ['npm ci'],
}

// How this machine reaches what readers reach directly.
const wayOut = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /_CERTS?$|_CERT_FILE$|_CA_BUNDLE$|^PIP_|_proxy$/i.test(name),
  ),
)

/** In a clone in which nothing is built or installed, by an ordinary user, in a path with a space: every line of its page. */
export const whole = (name: string): Example => ({
  name,
  async prepare(temporary) {
    const clone = join(temporary, 'my clone')
    await cloneTo(clone, ordinaryUser)
    const env = { PATH: '/usr/bin:/bin', HOME: temporary, ...wayOut }
    await promisify(execFile)('npm', ['ci'], { cwd: clone, env, ...ordinaryUser })
    return join(clone, 'examples', name)
  },
  fetches: [],
  user: ordinaryUser,
})

export const fastapi: Example = {
  name: 'fastapi',
  prepare: async () => at('fastapi'),
  fetches: [
    'python3 -m venv .venv',
    '. .venv/bin/activate',
    'pip install -r requirements.txt ../../clients/python',
  ],
}

/** With Debian's Laravel, as no test can reach Packagist. */
export const laravel: Example = {
  name: 'laravel',
  async prepare(temporary) {
    cpSync(at('laravel'), temporary, { recursive: true })
    mkdirSync(join(temporary, 'vendor'))
    writeFileSync(
      join(temporary, 'vendor/autoload.php'),
      `<?php
require_once 'Illuminate/autoload.php';
require_once '${join(root, 'clients/php/autoload.php')}';
spl_autoload_register(function (string $class): void {
    if (str_starts_with($class, 'App\\\\')) {
        require __DIR__ . '/../app/' . str_replace('\\\\', '/', substr($class, 4)) . '.php';
    }
});
`,
    )
    return temporary
  },
  fetches: ['composer install'],
}

/** The app's own handlers without Next.js, behind a server that passes requests to them. Its pages are only compiled. */
export const nextHandlers: Example = {
  name: 'nextjs',
  async prepare(temporary) {
    const server = `
      import { createServer } from 'node:http'
      import { POST as order } from './app/orders/route.ts'
      import Page from './app/orders/[id]/page.tsx'
      import { POST as webhook } from './app/webhooks/sluice/route.ts'
      import './app/page.tsx'
      import './app/layout.tsx'
      createServer(async (request, response) => {
        if (request.method === 'GET') {
          const params = Promise.resolve({ id: request.url.split('/').at(-1) })
          const shown = await Page({ params }).catch(() => null)
          return response.writeHead(shown === null ? 404 : 200).end(shown?.props.children)
        }
        const chunks = []
        for await (const chunk of request) chunks.push(chunk)
        const { headers, url } = request
        const given = new Request('http://shop' + url, { method: 'POST', headers, body: Buffer.concat(chunks) })
        const answer = await (url.split('?')[0] === '/orders' ? order() : webhook(given))
        response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
      }).listen(process.env.PORT, '127.0.0.1')`
    // What these pages take of the framework: elements, and the answer 404.
    const ofFramework = {
      'server-only': '',
      'react/jsx-runtime': 'export const jsx = (type, props) => ({ type, props }), jsxs = jsx',
      'next/navigation': "export const notFound = () => { throw new Error('404') }",
    }
    await build({
      stdin: { contents: server, resolveDir: at('nextjs'), loader: 'ts' },
      alias: { '@': at('nextjs'), '@sluice/sdk': join(root, 'sdk/src/client.ts') },
      bundle: true,
      format: 'esm',
      platform: 'node',
      jsx: 'automatic',
      outfile: join(temporary, 'server.js'),
      logLevel: 'error',
      plugins: [
        {
          name: 'framework',
          setup({ onResolve, onLoad }) {
            onResolve({ filter: /^(server-only|react\/jsx-runtime|next\/navigation)$/ }, ({ path }) => ({
              path,
              namespace: 'framework',
            }))
            onLoad({ filter: /.*/, namespace: 'framework' }, ({ path }) => ({
              contents: ofFramework[path as keyof typeof ofFramework],
            }))
          },
        },
      ],
    })
    writeFileSync(
      join(temporary, 'package.json'),
      JSON.stringify({ type: 'module', scripts: { build: 'true', start: 'exec node server.js' } }),
    )
    return temporary
  },
  fetches: ['(cd ../.. && npm run build:sdk)', 'npm ci'],
}

/** Runs lines of a page in the shop's folder, the last of which is the shop itself. */
export async function startShop(
  { folder, lines, user }: { folder: string; lines: readonly string[]; user: User | undefined },
  env: Readonly<Record<string, string>>,
): Promise<Shop> {
  const port = env.PORT ?? ''
  // Only the port is another than printed.
  const script = lines.join('\n').replaceAll(/\b[38]000\b/g, port)
  const own = join(folder, '../../node_modules', `node-${process.platform}-${process.arch}`, 'bin')
  const child: ChildProcess = spawn('sh', ['-euc', script], {
    cwd: folder,
    env: {
      PATH: `${user === undefined ? bin : own}:/usr/bin:/bin`,
      PYTHONDONTWRITEBYTECODE: '1',
      ...(user !== undefined && wayOut),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...user,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk))
  const ended = once(child, 'close')
  const stop = async () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
    await ended
  }
  const url = `http://127.0.0.1:${port}`
  try {
    await eventually(async () => {
      if (child.exitCode === null) await fetch(`${url}/orders/none`)
    })
    if (child.exitCode !== null) throw new Error(said)
  } catch (error) {
    await stop()
    throw new Error(`The shop did not start: ${said}`, { cause: error })
  }
  return { url, said: () => said, stop }
}
