/**
 * Builds the pages. The payment page has `web/checkout/dist/client/` for browsers and
 * `web/checkout/dist/server/render.js` for the service; the dashboard has `web/dashboard/dist/client/` and
 * `web/dashboard/dist/page.html`; the guides have `web/guides/dist/client/` and `web/guides/dist/pages/`. Does nothing for a page whose sources have not changed. `npm start` and `npm test`
 * run it, because our packages have no install scripts (decision 0006).
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import type { BuildOptions, Metafile, Plugin } from 'esbuild'
import { guides, listings } from '../web/guides/src/contents.ts'
import { compressFiles } from './compress-files.ts'
import { withFreshFolder } from './fresh-folder.ts'
import { fontPlugin, shipFont } from './page-font.ts'
import { replaceFolder } from './replace-folder.ts'
import { sveltePlugin, type Tools, typescript } from './svelte-plugin.ts'

const root = join(import.meta.dirname, '..')
const stamp = 'built-from'
// Browsers of recent years: those that support what the styles use.
const browsers = ['chrome111', 'edge111', 'firefox114', 'safari16.4']

/** Files of constants that the pages take from the contract. */
const generated = ['operations.generated.ts', 'values.generated.ts']

/** How each page is built from its folder in `web/` into a fresh one. */
const pages: Readonly<Record<string, (tools: Tools, folder: string, fresh: string) => Promise<void>>> = {
  dashboard: buildDashboard,
  checkout: buildCheckout,
  guides: buildGuides,
}

/** Builds every page that is not up to date. False if the tools are not installed and a page could not be built. */
export async function buildPages(): Promise<boolean> {
  const built = await Promise.all(Object.keys(pages).map(buildPage))
  return built.every(Boolean)
}

async function buildPage(name: string): Promise<boolean> {
  const folder = join(root, 'web', name)
  const dist = join(folder, 'dist')
  const source = await hashOfSource(folder, name === 'guides' ? guideSources() : [])
  if ((await readFile(join(dist, stamp), 'utf8').catch(() => '')) === source) return true
  const tools = await loadTools()
  if (tools === null) return false
  await withFreshFolder(folder, async (fresh) => {
    await pages[name]?.(tools, folder, fresh)
    await compressFiles(join(fresh, 'client'))
    if (name === 'guides') await compressFiles(join(fresh, 'pages'))
    await writeFile(join(fresh, stamp), source)
    await replaceFolder(fresh, dist, stamp)
  })
  return true
}

/** A hash of everything that decides the build: the sources, this script, and the versions of the tools. */
async function hashOfSource(folder: string, further: readonly string[]): Promise<string> {
  const below = async (path: string) =>
    (await readdir(path, { recursive: true, withFileTypes: true }).catch(nothingIfMissing))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  const files = [
    ...(await below(join(folder, 'src'))),
    ...(await below(join(folder, 'messages'))),
    ...(await below(join(folder, 'reasons'))),
    ...(await below(join(root, 'web/ui/src'))),
    ...generated.map((name) => join(root, 'web', name)),
    ...further,
    import.meta.filename,
    join(root, 'scripts/compress-files.ts'),
    join(root, 'scripts/page-font.ts'),
    join(root, 'scripts/svelte-plugin.ts'),
    join(root, 'web/package.json'),
    join(root, 'package-lock.json'),
  ].sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${relative(root, file)}\0`).update(await readFile(file))
  return hash.digest('hex')
}

/** Not every page has messages or reasons. */
function nothingIfMissing(error: { readonly code?: unknown }): never[] {
  if (error.code !== 'ENOENT') throw error
  return []
}

function guideSources(): string[] {
  const sources = [...guides.map(({ source }) => source), ...Object.values(listings)]
  return ['scripts/build-guides.ts', ...sources].map((source) => join(root, source))
}

/** esbuild and Svelte, or null if not even they are installed. */
async function loadTools(): Promise<Tools | null> {
  try {
    const [esbuild, svelte] = await Promise.all([import('esbuild'), import('svelte/compiler')])
    return { esbuild, svelte }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return null
  }
}

async function buildCheckout(tools: Tools, folder: string, fresh: string): Promise<void> {
  const font = `/checkout-assets/${await shipFont(root, fresh)}`
  const { metafile } = await tools.esbuild.build(
    clientBuild(tools, folder, fresh, { entries: ['main'], font }),
  )
  await tools.esbuild.build({
    ...sharedBuild(folder),
    entryPoints: ['src/render.ts'],
    outfile: join(fresh, 'server/render.js'),
    // Self-contained: the service needs no node_modules of the page to render it.
    platform: 'node',
    conditions: ['svelte', 'production'],
    target: 'node24',
    plugins: [
      sveltePlugin(tools, 'server'),
      messagesPlugin(),
      clientFiles(metafile, font),
      // The styles target browsers, wherever the rest runs.
      inlineStyles(tools, font),
    ],
  })
}

async function buildDashboard(tools: Tools, folder: string, fresh: string): Promise<void> {
  const path = '/dashboard-assets/'
  const font = await shipFont(root, fresh)
  const { metafile } = await tools.esbuild.build(
    clientBuild(tools, folder, fresh, { entries: ['main', 'before-paint'], font: `${path}${font}` }),
  )
  const main = outputOf(metafile, 'src/main.ts')
  const names: Readonly<Record<string, string | undefined>> = {
    main: main?.name,
    before: outputOf(metafile, 'src/before-paint.ts')?.name,
    styles: main?.styles,
    font,
  }
  const template = await readFile(join(folder, 'src/page.html'), 'utf8')
  const page = template.replace(/%(\w+)%/g, (_, name: string) => {
    if (names[name] === undefined) throw new Error(`The dashboard was built without its ${name}.`)
    return `${path}${names[name]}`
  })
  await writeFile(join(fresh, 'page.html'), page)
}

async function buildGuides(tools: Tools, folder: string, fresh: string): Promise<void> {
  const { assetsPath, guideIndex, writeGuides } = await import('./build-guides.ts')
  const font = `${assetsPath}${await shipFont(root, fresh)}`
  const { metafile } = await tools.esbuild.build(
    clientBuild(tools, folder, fresh, { entries: ['main', 'guides.css'], font }),
  )
  const index = await guideIndex()
  const hash = createHash('sha256').update(index).digest('hex').slice(0, 8).toUpperCase()
  await writeFile(join(fresh, `client/search-${hash}.json`), index)
  const at = (name: string | undefined) => {
    if (name === undefined) throw new Error('The guides were built without script or styles.')
    return `${assetsPath}${name}`
  }
  await writeGuides(join(fresh, 'pages'), {
    script: at(outputOf(metafile, 'src/main.ts')?.name),
    styles: at(outputOf(metafile, 'src/guides.css')?.name),
    index: at(`search-${hash}.json`),
    font,
  })
}

function sharedBuild(folder: string) {
  return {
    ...typescript,
    absWorkingDir: folder,
    bundle: true,
    format: 'esm',
    // Users get the production page, even if a test runner or an operator has set another mode.
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'warning',
  } satisfies BuildOptions
}

function clientBuild(
  tools: Tools,
  folder: string,
  fresh: string,
  { entries, font }: { readonly entries: readonly string[] /** Its URL. */; readonly font: string },
) {
  return {
    ...sharedBuild(folder),
    entryPoints: entries.map((name) => (name.includes('.') ? `src/${name}` : `src/${name}.ts`)),
    outdir: join(fresh, 'client'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    minify: true,
    metafile: true,
    platform: 'browser',
    conditions: ['svelte', 'browser', 'production'],
    target: browsers,
    plugins: [sveltePlugin(tools, 'client'), messagesPlugin(), constantsPlugin(), fontPlugin(font)],
  } satisfies BuildOptions
}

/** The output of an entry or of a dynamically imported module. */
function outputOf({ outputs }: Metafile, entry: string): { name: string; styles?: string } | undefined {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)
  if (found === undefined) return undefined
  const [path, { cssBundle }] = found
  return { name: basename(path), ...(cssBundle !== undefined && { styles: basename(cssBundle) }) }
}

/** Texts as one string per language, which a browser parses faster than an object, and without a name for each key. */
function messagesPlugin(): Plugin {
  return {
    name: 'messages',
    setup(build) {
      build.onLoad({ filter: /[/\\]messages[/\\]\w+\.json$/ }, async ({ path }) => {
        const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')))
        return { contents: `export default JSON.parse(${JSON.stringify(text)})` }
      })
    },
  }
}

/**
 * Gives each module that imports from a file of constants its own copy with only the constants it names. esbuild splits
 * by files: otherwise every constant that any page names would be loaded before the first page.
 */
function constantsPlugin(): Plugin {
  return {
    name: 'constants',
    setup(build) {
      build.onResolve({ filter: /^@sluice\/web\/(operations|values)$/ }, ({ path, importer }) => ({
        path: join(root, 'web', `${basename(path)}.generated.ts`),
        suffix: `?${relative(root, importer)}`,
        sideEffects: false,
      }))
    },
  }
}

/** Tells the server-side bundle the names of the browser's files. */
function clientFiles(metafile: Metafile, font: string): Plugin {
  const script = outputOf(metafile, 'src/main.ts')?.name
  const messages = Object.values(metafile.outputs)
    .flatMap(({ entryPoint = '' }) => (entryPoint.endsWith('.json') ? entryPoint : []))
    .map((entry) => [basename(entry, '.json'), outputOf(metafile, entry)?.name])
  const contents = JSON.stringify({ script, font, messages: Object.fromEntries(messages) })
  const filter = /^virtual:client-files$/
  return {
    name: 'client-files',
    setup(build) {
      build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'client-files' }))
      build.onLoad({ filter, namespace: 'client-files' }, () => ({ contents: `export default ${contents}` }))
    },
  }
}

/** Lets a script import styles, with all their imports, as text: `import styles from './page.css?inline'`. */
function inlineStyles({ esbuild }: Tools, font: string): Plugin {
  return {
    name: 'inline-styles',
    setup(build) {
      build.onResolve({ filter: /\.css\?inline$/ }, ({ path, resolveDir }) => ({
        // What is built says nothing about where it was built.
        path: relative(root, join(resolveDir, path.slice(0, -'?inline'.length))),
        namespace: 'inline-styles',
      }))
      build.onLoad({ filter: /./, namespace: 'inline-styles' }, async ({ path }) => {
        const made = await esbuild.build({
          entryPoints: [join(root, path)],
          bundle: true,
          minify: true,
          write: false,
          target: browsers,
          logLevel: 'warning',
          plugins: [fontPlugin(font)],
        })
        return { contents: made.outputFiles[0]?.text.trim() ?? '', loader: 'text' }
      })
    },
  }
}

if (import.meta.main) {
  if (!(await buildPages()))
    console.warn(
      'The pages were not built, because the tools for it are not installed. Run `npm ci`, or copy web/checkout/dist, web/dashboard/dist and web/guides/dist from where they were built.',
    )
}
