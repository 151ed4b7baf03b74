/** Everything that must hold before a change lands, in one go. The last line counts: "N passed, N failed". */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { bitcoinCommand } from './bitcoin-program.ts'
import { runTests, testEnvironment } from './run-tests.ts'
import { solanaCommand } from './solana-program.ts'
import { wordpressRoot } from './wordpress-program.ts'

const root = join(import.meta.dirname, '..')

type Result = { readonly passed: number; readonly failed: number; readonly output: string }

type Step = { readonly name: string; readonly run: () => Promise<Result> }

/** Everything before the tests. The rows run at once, the steps of a row one after the other. */
const before: readonly (readonly Step[])[] = [
  // Mostly waiting for downloads.
  [
    program('Debian packages', ['scripts/provision'], { isShown: true }),
    program('Bitcoin node', ['node', 'scripts/provision-bitcoin.ts']),
    program('Solana node', ['node', 'scripts/provision-solana.ts']),
    program('WordPress', ['node', 'scripts/provision-wordpress.ts']),
  ],
  [
    program('Ethereum node', ['node', 'scripts/provision-anvil.ts']),
    program('runtimes', ['node', 'scripts/provision-runtimes.ts']),
  ],
  // A core for each of these rows: the compiler needs half as much again to share its work between both.
  [
    program('pages', ['node', 'scripts/build-web.ts']),
    program('program', ['node', 'scripts/build-server.ts']),
    program('client', ['node', 'scripts/build-sdk.ts']),
    program('types', ['tsc', '--noEmit', '--singleThreaded']),
  ],
  [
    program('types of the pages', [
      'svelte-check',
      '--workspace',
      'web',
      '--tsconfig',
      './tsconfig.json',
      '--tsgo',
      '--fail-on-warnings',
    ]),
    program('lint', ['biome', 'ci', '--error-on-warnings', '.']),
    program('contract', ['redocly', 'lint']),
    program('generated files', ['node', 'scripts/generate.ts', '--check']),
  ],
]

const total = { passed: 0, failed: 0 }
const broken: string[] = []
/** Said last, where it is seen. */
const remarks: string[] = []
await Promise.all(
  before.map(async (steps) => {
    for (const step of steps) await check(step)
  }),
)
await check({ name: 'tests', run: tests })
console.log('')
if (broken.length > 0) console.log(`Failed: ${broken.join(', ')}`)
for (const remark of remarks) console.log(remark)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

async function check({ name, run }: Step): Promise<void> {
  const startedAt = Date.now()
  const { passed, failed, output } = await run()
  total.passed += passed
  total.failed += failed
  if (failed > 0) broken.push(name)
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(`${output}── ${name}: ${failed > 0 ? 'FAILED' : 'ok'}, ${seconds} s`)
}

async function tests(): Promise<Result> {
  const { passed, failed, flaky, slowest } = await runTests(root)
  remarks.push(
    'The slowest test files:',
    ...slowest.map(({ name, seconds }) => `  ${seconds} s  ${name}`),
    ...failed.map((name) => `failed: ${name}`),
    ...flaky.map((name) => `flaky: ${name}`),
  )
  if (bitcoinCommand('bitcoind') === null) remarks.push('skipped: no Bitcoin node for this machine')
  if (solanaCommand() === null) remarks.push('skipped: no Solana node for this machine')
  if (wordpressRoot() === null) remarks.push('skipped: no WordPress for this machine')
  if (process.getuid?.() !== 0)
    remarks.push(
      'skipped: failover of PostgreSQL and the compose files, which only root can test, in network namespaces',
    )
  if (spawnSync('systemd-analyze', ['--version']).error !== undefined)
    remarks.push('skipped: no systemd-analyze on this machine, so systemd has not judged deploy/systemd')
  return { passed, failed: failed.length, output: '' }
}

/** A step that is one program; what it says is shown as it comes if `isShown`, else in one piece when it has ended. */
function program(
  name: string,
  [file, ...args]: readonly [string, ...string[]],
  { isShown = false } = {},
): Step {
  const run = () =>
    new Promise<Result>((resolve) => {
      const child = spawn(file, args, {
        cwd: root,
        stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
        env: { ...testEnvironment(), REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk) => {
          output += chunk
        })
      const end = (ok: boolean) => resolve({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, output })
      child.once('close', (code) => end(code === 0))
      child.once('error', (error) => {
        output += `${file} could not be started: ${error.message}\n`
        end(false)
      })
    })
  return { name, run }
}
