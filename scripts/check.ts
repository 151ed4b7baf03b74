/** Everything that must hold before a change lands, in one go. The last line counts: "N passed, N failed". */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

type Counts = { passed: number; failed: number }

const root = join(import.meta.dirname, '..')
const reports = await mkdtemp(join(tmpdir(), 'sluice-check-'))
const vitestReport = join(reports, 'vitest.json')

const steps: { name: string; command: [string, ...string[]]; count?: (ok: boolean) => Promise<Counts> }[] = [
  { name: 'Debian packages', command: ['scripts/provision'] },
  { name: 'Ethereum node', command: ['node', 'scripts/provision-anvil.ts'] },
  { name: 'pages', command: ['node', 'scripts/build-web.ts'] },
  { name: 'program', command: ['node', 'scripts/build-server.ts'] },
  { name: 'types', command: ['tsc', '--noEmit'] },
  {
    name: 'types of the pages',
    command: ['svelte-check', '--workspace', 'web', '--tsconfig', './tsconfig.json', '--fail-on-warnings'],
  },
  { name: 'lint', command: ['biome', 'ci', '--error-on-warnings', '.'] },
  { name: 'contract', command: ['redocly', 'lint'] },
  { name: 'generated files', command: ['node', 'scripts/generate.ts', '--check'] },
  {
    name: 'tests',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    count: countTests,
  },
]

const total: Counts = { passed: 0, failed: 0 }
const broken: string[] = []
const failedTests: string[] = []
for (const { name, command, count } of steps) {
  const startedAt = Date.now()
  console.log(`\n── ${name}`)
  const ok = await run(command)
  const { passed, failed } = count ? await count(ok) : { passed: ok ? 1 : 0, failed: ok ? 0 : 1 }
  total.passed += passed
  total.failed += failed
  if (failed > 0) broken.push(name)
  console.log(`── ${name}: ${failed > 0 ? 'FAILED' : 'ok'}, ${Math.round((Date.now() - startedAt) / 1000)} s`)
}
await rm(reports, { recursive: true, force: true })
if (broken.length > 0) console.log(['', `Failed: ${broken.join(', ')}`, ...failedTests].join('\n'))
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

async function run([program, ...args]: [string, ...string[]]): Promise<boolean> {
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code === 0))
    child.once('error', (error) => {
      console.error(`${program} could not be started: ${error.message}`)
      resolve(false)
    })
  })
}

type Report = {
  numPassedTests?: number
  numFailedTests?: number
  testResults?: { name: string; assertionResults: { status: string; fullName: string }[] }[]
}

/** Counted from the report; a run that failed without a failed test (an unhandled error, a crash) counts as one. */
async function countTests(ok: boolean): Promise<Counts> {
  const text = await readFile(vitestReport, 'utf8').catch(() => '{}')
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = JSON.parse(text) as Report
  for (const { name, assertionResults } of testResults) {
    for (const { status, fullName } of assertionResults) {
      if (status === 'failed') failedTests.push(`  ${relative(root, name)}: ${fullName}`)
    }
  }
  return { passed: numPassedTests, failed: ok ? numFailedTests : Math.max(1, numFailedTests) }
}
