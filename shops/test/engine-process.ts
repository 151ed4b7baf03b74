import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSdk } from '../../scripts/build-sdk.ts'
import { buildShop } from '../../scripts/build-shops.ts'
import { engineFolder, type ShopEngine } from '../../scripts/shop-engines.ts'

const root = join(import.meta.dirname, '../..')

type Said = { readonly cpu: NodeJS.CpuUsage; readonly facts?: unknown }

export type EngineProcess = {
  /** What it said about the shop when it was ready. */
  readonly facts: unknown
  /** Everything it wrote so far. */
  output(): string
  /** Ends it, and tells the CPU seconds that it took. */
  stop(): Promise<void>
}

/** Starts a shop on its engine with our packages installed as `npm install` would: packed, and unpacked into a project. */
export async function startEngine(engine: ShopEngine, settings: object): Promise<EngineProcess> {
  await buildSdk()
  await buildShop(engine)
  const project = mkdtempSync(join(engineFolder(engine), 'run-'))
  for (const folder of ['sdk', `shops/${engine}`]) install(join(root, folder), project)
  cpSync(join(root, 'shops', engine, 'test/engine'), project, { recursive: true })
  const child = fork(join(project, 'start.cjs'), [], {
    cwd: project,
    // Not the conditions that the test runner resolves packages by.
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      HOME: project,
      NODE_ENV: 'production',
      SHOP_SETTINGS: JSON.stringify(settings),
      // Both would report to their makers.
      MEDUSA_DISABLE_TELEMETRY: 'true',
      VENDURE_DISABLE_TELEMETRY: 'true',
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  const remove = () => rmSync(project, { recursive: true, force: true })
  try {
    const { cpu, facts } = await heard(child, () => output)
    return {
      facts,
      output: () => output,
      async stop() {
        if (process.env.ENGINE_OUTPUT)
          (await import('node:fs')).writeFileSync(process.env.ENGINE_OUTPUT, output)
        child.send('stop')
        const last = await heard(child, () => output)
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
        remove()
        process.stdout.write(
          `${engine}: ${secondsOf(cpu)} CPU seconds to boot, ${secondsOf(last.cpu)} in all\n`,
        )
      },
    }
  } catch (error) {
    child.kill('SIGKILL')
    remove()
    throw error
  }
}

/** The next message. Rejects with what the process wrote if it ends instead. */
async function heard(child: ChildProcess, output: () => string): Promise<Said> {
  return new Promise((resolve, reject) => {
    child.once('message', (said) => resolve(said as Said))
    child.once('exit', (code) => reject(new Error(`The engine ended with ${code}.\n${output()}`)))
  })
}

function install(folder: string, project: string): void {
  const packed = mkdtempSync(join(project, 'pack-'))
  execFileSync('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', packed], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [archive = ''] = readdirSync(packed)
  const into = join(
    project,
    'node_modules/@sluice',
    archive.includes('sdk') ? 'sdk' : (folder.split('/').at(-1) ?? ''),
  )
  mkdirSync(into, { recursive: true })
  execFileSync('tar', ['-xzf', join(packed, archive), '-C', into, '--strip-components=1'])
  rmSync(packed, { recursive: true })
}

function secondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6
}
