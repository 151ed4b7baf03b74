/**
 * Builds the pages. Of the payment page `web/checkout/dist/client/` is for browsers and `web/checkout/dist/server/render.js`
 * for the service; of the dashboard `web/dashboard/dist/client/` and `web/dashboard/dist/page.html`. Does nothing for a page
 * whose sources have not changed. `npm start` and `npm test` run it, since no install script of ours runs (decision 0006).
 */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { InlineConfig, Plugin, Rolldown } from 'vite'
import { compressFiles } from './compress-files.ts'
import { replaceFolder } from './replace-folder.ts'

const root = join(import.meta.dirname, '..')
const stamp = 'built-from'
// What Vite builds scripts for by default: the browsers of the last two and a half years, and older ones of these makers.
const browsers = ['chrome111', 'edge111', 'firefox114', 'safari16.4']

type Tools = {
  readonly build: (config: InlineConfig) => Promise<Rolldown.RolldownOutput>
  readonly plugins: () => NonNullable<InlineConfig['plugins']>
}

/** How a page is made from its folder in `web/`, into a fresh one. */
const pages: Readonly<Record<string, (tools: Tools, folder: string, fresh: string) => Promise<void>>> = {
  checkout: buildCheckout,
  dashboard: buildDashboard,
}

/** Builds every page that is not up to date. False when the tools are not installed and one could not be. */
export async function buildPages(): Promise<boolean> {
  const built = []
  for (const name of Object.keys(pages)) built.push(await buildPage(name))
  return built.every(Boolean)
}

async function buildPage(name: string): Promise<boolean> {
  const folder = join(root, 'web', name)
  const dist = join(folder, 'dist')
  const source = await hashOfSource(folder)
  if ((await readFile(join(dist, stamp), 'utf8').catch(() => '')) === source) return true
  const tools = await loadTools()
  if (tools === null) return false
  // Whatever a test runner or an operator has set, people get the page that is meant for them.
  const environment = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  // Another process may build or read at the same moment: the folder changes hands whole.
  const fresh = await mkdtemp(join(folder, 'dist-'))
  try {
    await pages[name]?.(tools, folder, fresh)
    await compressFiles(join(fresh, 'client'))
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
async function hashOfSource(folder: string): Promise<string> {
  const below = async (path: string) =>
    (await readdir(path, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  const files = [
    ...(await below(join(folder, 'src'))),
    ...(await below(join(folder, 'messages'))),
    ...(await below(join(root, 'web/ui/src'))),
    ...[
      import.meta.filename,
      join(root, 'scripts/compress-files.ts'),
      join(root, 'web/package.json'),
      join(root, 'package-lock.json'),
    ],
  ].sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${relative(root, file)}\0`).update(await readFile(file))
  return hash.digest('hex')
}

/** Vite and Svelte, or null where only what runs the service is installed (`npm ci --omit=dev`). */
async function loadTools(): Promise<Tools | null> {
  try {
    const [vite, { svelte }] = await Promise.all([import('vite'), import('@sveltejs/vite-plugin-svelte')])
    return {
      build: async (config) => (await vite.build(config)) as Rolldown.RolldownOutput,
      plugins: () => [svelte({ configFile: false, compilerOptions: { runes: true } })],
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return null
  }
}

async function buildCheckout({ build, plugins }: Tools, folder: string, fresh: string): Promise<void> {
  const shared = sharedConfig(folder, '/checkout-assets/')
  const client = await build({
    ...shared,
    plugins: plugins(),
    build: clientBuild(fresh, { main: join(folder, 'src/main.ts') }),
  })
  await build({
    ...shared,
    plugins: [...plugins(), clientFiles(client)],
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
  })
}

async function buildDashboard({ build, plugins }: Tools, folder: string, fresh: string): Promise<void> {
  const path = '/dashboard-assets/'
  const entries = { main: join(folder, 'src/main.ts'), theme: join(folder, 'src/theme.ts') }
  const { output } = await build({
    ...sharedConfig(folder, path),
    plugins: plugins(),
    build: clientBuild(fresh, entries),
  })
  const chunk = (name: string) =>
    output.find((file) => file.type === 'chunk' && file.isEntry && file.name === name)?.fileName
  const names: Readonly<Record<string, string | undefined>> = {
    main: chunk('main'),
    theme: chunk('theme'),
    styles: output.find((file) => file.fileName.endsWith('.css'))?.fileName,
  }
  const template = await readFile(join(folder, 'src/page.html'), 'utf8')
  const page = template.replace(/%(\w+)%/g, (_, name: string) => {
    if (names[name] === undefined) throw new Error(`The dashboard was built without its ${name}.`)
    return `${path}${names[name]}`
  })
  await writeFile(join(fresh, 'page.html'), page)
}

function sharedConfig(folder: string, base: string): InlineConfig {
  return {
    root: folder,
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    base,
    publicDir: false,
    json: { stringify: true },
  }
}

function clientBuild(fresh: string, input: Record<string, string>): NonNullable<InlineConfig['build']> {
  return {
    outDir: join(fresh, 'client'),
    assetsDir: '',
    // The first HTML names what to load ahead, so the script needs no code for it.
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input,
      output: {
        entryFileNames: '[name]-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: '[name]-[hash][extname]',
      },
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
      'The pages were not built: their tools are not installed. Run `npm ci` without --omit=dev, or copy web/checkout/dist and web/dashboard/dist from where they were built.',
    )
}
