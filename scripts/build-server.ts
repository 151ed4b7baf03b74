/**
 * Bundles the server into a few files in `server/dist/`: Node takes a second to load its hundreds of modules one by
 * one, and every start and every command would wait for that. Does nothing if the sources have not changed. Without a
 * bundle, or after a change, the sources run directly.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Plugin } from 'esbuild'
import { built, hashOfSource, isBuilt, lookOfSource, lookStamp, stamp } from '../server/bin/built.mjs'
import { withFreshFolder } from './fresh-folder.ts'
import { replaceFolder } from './replace-folder.ts'

const sources = join(import.meta.dirname, '../server/src')

/** The command, and what it starts its processes with. */
export const programs = {
  sluice: join(sources, 'wire/main.ts'),
  'role-process': join(sources, 'wire/role-process.ts'),
  'deriver-process': join(sources, 'wire/deriver-process.ts'),
}

/** Builds the bundle unless it is up to date. False if the tools are not installed and it could not be built. */
export async function buildServer(): Promise<boolean> {
  // Taken before anything is read: changes made meanwhile are built the next time.
  const look = lookOfSource()
  if (isBuilt()) {
    // The same sources may look different, since they were checked out again. A folder of another user stays as it is.
    if (look !== null) await writeFile(join(built, lookStamp), look).catch(() => {})
    return true
  }
  const source = hashOfSource()
  let done = false
  await withFreshFolder(dirname(built), async (fresh) => {
    done = await bundle(programs, fresh, built)
    if (!done) return
    await writeFile(join(fresh, stamp), source)
    if (look !== null) await writeFile(join(fresh, lookStamp), look)
    await replaceFolder(fresh, built, stamp)
  })
  return done
}

/** Modules of `server/src` that a bundle does without, and what the operator reads when they are needed after all. */
export type LeftOut = { readonly modules: readonly string[]; readonly message: string }

/** Bundles programs into a few files in a folder, to be run from `place`. False if the tools are not installed. */
export async function bundle(
  entries: Readonly<Record<string, string>>,
  folder: string,
  place: string,
  leftOut: LeftOut = { modules: [], message: '' },
): Promise<boolean> {
  const tools = await loadTools()
  if (tools === null) return false
  await tools.build({
    tsconfigRaw: { compilerOptions: { target: 'esnext', verbatimModuleSyntax: true } },
    // The same bundle from whichever folder it is built.
    absWorkingDir: join(sources, '../..'),
    entryPoints: { ...entries },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Our own client from its sources, which a fresh clone has not compiled (decision 0044).
    conditions: ['@sluice/source', 'module'],
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    // Optional parts of the database driver that are not installed.
    external: ['pg-native', 'cloudflare:sockets'],
    // CommonJS packages use it to load Node's own modules.
    banner: {
      js: "import { createRequire as ownRequire } from 'node:module'; const require = ownRequire(import.meta.url);",
    },
    plugins: [leavingOut(leftOut), ownPlaces(place), requiredHttp()],
    logLevel: 'warning',
  })
  return true
}

/** Puts a module that refuses to load in the place of each that is left out. */
function leavingOut({ modules, message }: LeftOut): Plugin {
  const paths = modules.map((name) => join(sources, name))
  const code = `import { SettingsError } from './settings/settings.ts'; throw new SettingsError(${JSON.stringify(message)})`
  return {
    name: 'leaving-out',
    setup(build) {
      if (paths.length === 0) return
      const names = modules.map((name) => basename(name, '.ts')).join('|')
      build.onLoad({ filter: new RegExp(`[/\\\\](?:${names})\\.ts$`) }, ({ path }) =>
        paths.includes(path) ? { contents: code, resolveDir: sources, loader: 'ts' } : null,
      )
    },
  }
}

/** Lets each of our modules find the files beside its source, wherever the bundle runs from. */
function ownPlaces(place: string): Plugin {
  const modules = modulesWithPlace()
  // esbuild calls us for each file that the filter matches: matching all of ours would cost a fifth of its time.
  const names = [...modules.keys()].map((path) => basename(path, '.ts'))
  return {
    name: 'own-places',
    setup(build) {
      build.onLoad({ filter: new RegExp(`[/\\\\](?:${names.join('|')})\\.ts$`) }, ({ path }) => {
        const code = modules.get(path)
        if (code === undefined) return null
        const from = relative(place, path).split(sep).join('/')
        const url = `new URL(${JSON.stringify(from)}, import.meta.url).href`
        return { contents: code.replaceAll('import.meta.url', url), loader: 'ts' }
      })
    },
  }
}

/**
 * Loads `node:http` by `require`. For an `import` Node reads each of its exports, and one of them loads everything behind
 * `fetch`: an eighth of the time that a process takes to load.
 */
function requiredHttp(): Plugin {
  const namespace = 'required-http'
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
        kind === 'import-statement' ? { path: 'node:http', namespace } : null,
      )
      build.onLoad({ filter: /^/, namespace }, () => ({ contents: "module.exports = require('node:http')" }))
    },
  }
}

/**
 * The code of our modules that use their own location, by path; except one, which looks for files beside the bundle
 * itself.
 */
function modulesWithPlace(): ReadonlyMap<string, string> {
  const modules = new Map<string, string>()
  for (const entry of readdirSync(sources, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !path.endsWith('.ts') || path.endsWith(join('wire', 'processes.ts'))) continue
    const code = readFileSync(path, 'utf8')
    if (code.includes('import.meta.url')) modules.set(path, code)
  }
  return modules
}

/** Null if not even these are installed. */
async function loadTools() {
  try {
    return await import('esbuild')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return null
  }
}

if (import.meta.main && !(await buildServer()))
  console.warn(
    'The server was not bundled, because the tools for it are not installed. It runs from its sources instead.',
  )
