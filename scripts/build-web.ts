/**
 * Builds the payment page: `web/checkout/dist/client/` for browsers, `web/checkout/dist/server/render.js` for the service.
 * Does nothing when what it would build from has not changed. `npm start` and `npm test` run it, since no install script
 * of ours runs (decision 0006).
 */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { InlineConfig, Plugin, Rolldown } from 'vite'
import { replaceFolder } from './replace-folder.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'web/checkout')
const dist = join(folder, 'dist')
const stamp = 'built-from'
// What Vite builds scripts for by default: the browsers of the last two and a half years, and older ones of these makers.
const browsers = ['chrome111', 'edge111', 'firefox114', 'safari16.4']

/** Builds the page unless it is up to date. False when the tools are not installed and it could not be. */
export async function buildPages(): Promise<boolean> {
  const source = await hashOfSource()
  if ((await readFile(join(dist, stamp), 'utf8').catch(() => '')) === source) return true
  const tools = await loadTools()
  if (tools === null) return false
  const { vite, svelte } = tools
  // Whatever a test runner or an operator has set, people get the page that is meant for them.
  const environment = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  // Another process may build or read at the same moment: the folder changes hands whole.
  const fresh = await mkdtemp(join(folder, 'dist-'))
  try {
    const plugins = () => [svelte({ configFile: false, compilerOptions: { runes: true } })]
    const client = (await vite.build(clientConfig(fresh, plugins()))) as Rolldown.RolldownOutput
    await vite.build(serverConfig(fresh, [...plugins(), clientFiles(client)]))
    await writeFile(join(fresh, stamp), source)
    await replaceFolder(fresh, dist, stamp)
  } finally {
    await rm(fresh, { recursive: true, force: true })
    if (environment === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = environment
  }
  return true
}

/** Of everything that decides what is built: the sources, this script, and the versions of the tools. */
async function hashOfSource(): Promise<string> {
  const below = async (path: string) =>
    (await readdir(path, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  const files = [
    ...(await below(join(folder, 'src'))),
    ...(await below(join(folder, 'messages'))),
    ...(await below(join(root, 'web/ui/src'))),
    ...[import.meta.filename, join(root, 'web/package.json'), join(root, 'package-lock.json')],
  ].sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${relative(root, file)}\0`).update(await readFile(file))
  return hash.digest('hex')
}

/** Vite and Svelte, or null where only what runs the service is installed (`npm ci --omit=dev`). */
async function loadTools() {
  try {
    const [vite, { svelte }] = await Promise.all([import('vite'), import('@sveltejs/vite-plugin-svelte')])
    return { vite, svelte }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return null
  }
}

function shared(plugins: InlineConfig['plugins']): InlineConfig {
  return {
    root: folder,
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    base: '/checkout-assets/',
    publicDir: false,
    json: { stringify: true },
    plugins: plugins ?? [],
  }
}

function clientConfig(fresh: string, plugins: InlineConfig['plugins']): InlineConfig {
  return {
    ...shared(plugins),
    build: {
      outDir: join(fresh, 'client'),
      assetsDir: '',
      // The first HTML names what to load ahead, so the script needs no code for it.
      modulePreload: false,
      rolldownOptions: {
        input: join(folder, 'src/main.ts'),
        output: { entryFileNames: '[name]-[hash].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  }
}

function serverConfig(fresh: string, plugins: InlineConfig['plugins']): InlineConfig {
  return {
    ...shared(plugins),
    // Everything is inside: the service needs no node_modules of the page's to render it.
    ssr: { noExternal: true },
    build: {
      ssr: join(folder, 'src/render.ts'),
      outDir: join(fresh, 'server'),
      cssMinify: true,
      // The styles are for browsers, whatever runs the rest.
      cssTarget: browsers,
      target: 'node24',
      rolldownOptions: { output: { entryFileNames: '[name].js', codeSplitting: false } },
    },
  }
}

/** Lets the server's half know what the browser's files are called. */
function clientFiles({ output }: Rolldown.RolldownOutput): Plugin {
  const chunks = output.filter((file) => file.type === 'chunk')
  const script = chunks.find(({ isEntry }) => isEntry)?.fileName
  const messages = chunks
    .filter(({ facadeModuleId }) => facadeModuleId?.endsWith('.json'))
    .map(({ name, fileName }) => [name, fileName])
  const id = 'virtual:client-files'
  return {
    name: 'client-files',
    resolveId: (asked) => (asked === id ? `\0${id}` : undefined),
    load: (asked) =>
      asked === `\0${id}`
        ? `export default ${JSON.stringify({ script, messages: Object.fromEntries(messages) })}`
        : undefined,
  }
}

if (import.meta.main) {
  if (!(await buildPages()))
    console.warn(
      'The payment page was not built: its tools are not installed. Run `npm ci` without --omit=dev, or copy web/checkout/dist from where it was built.',
    )
}
