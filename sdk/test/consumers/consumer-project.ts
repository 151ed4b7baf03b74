import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const root = join(import.meta.dirname, '../../..')
const sources = join(import.meta.dirname, 'projects')

/** The machine's own programs, as outside of this project, and nothing of the user's own settings. */
export function plainEnv(home: string): NodeJS.ProcessEnv {
  const paths = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  return {
    PATH: paths.join(delimiter),
    HOME: home,
    DENO_DIR: join(home, 'deno'),
    DENO_NO_UPDATE_CHECK: '1',
    npm_config_cache: join(home, 'npm'),
    npm_config_update_notifier: 'false',
  }
}

/** Packs the client as it would be published, and returns the path of the archive. */
export async function packSdk(home: string): Promise<string> {
  const options = ['--ignore-scripts=false', '--loglevel=error', '--json', '--pack-destination', home]
  // Run where it belongs: npm finds the workspace, and the script before it builds.
  await run('npm', ['pack', ...options], { cwd: join(root, 'sdk'), env: plainEnv(home) })
  const archive = readdirSync(home).find((name) => name.endsWith('.tgz'))
  if (archive === undefined) throw new Error('npm pack made no archive.')
  return join(home, archive)
}

/** A project of its own that has installed the client, without a network. */
export async function installConsumer(home: string, name: string, dependency: string): Promise<string> {
  const folder = join(home, name)
  mkdirSync(folder)
  const manifest = { name, private: true, type: 'module', dependencies: { '@sluice/sdk': dependency } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const options = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', ...options], { cwd: folder, env: plainEnv(home) })
  cpSync(sources, folder, { recursive: true })
  return folder
}

/** What a compiler says about some files of a project: nothing if their types are right. */
export async function complaintsOf(
  folder: string,
  compiler: 'typescript' | '@typescript/native',
  files: readonly string[],
  settings: object,
): Promise<string> {
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    types: [],
  }
  const config = join(folder, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...strict, ...settings }, files }))
  const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
  return run(process.execPath, [tsc, '-p', config], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; message: string }) => error.stdout || error.message,
  )
}

/** Runs a consumer's file on a runtime, and returns what it returned. */
export async function runConsumer(
  program: readonly [string, ...string[]],
  folder: string,
  file: string,
  origin: string,
): Promise<unknown> {
  const [path, ...args] = program
  if (!existsSync(path)) throw new Error(`${path} is missing. Run: npm run provision`)
  const env = plainEnv(join(folder, '..'))
  const { stdout } = await run(path, [...args, 'run.mjs', file, origin], { cwd: folder, env })
  return JSON.parse(stdout)
}
