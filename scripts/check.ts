/** Everything that must hold before a change lands, in one go. The last line counts: "N passed, N failed". */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

type Counts = { passed: number; failed: number }

const root = join(import.meta.dirname, '..')
const reports = await mkdtemp(join(tmpdir(), 'sluice-check-'))
const vitestReport = join(reports, 'vitest.json')

type Step = {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  /** Whether what it says is shown as it comes, else in one piece. */
  readonly isShown?: boolean
  readonly count?: (ok: boolean) => Promise<Counts>
}

/** One after the other; the steps of one are independent of each other, and run at once. */
const stages: readonly (readonly Step[])[] = [
  [{ name: 'Debian packages', command: ['scripts/provision'], isShown: true }],
  [
    { name: 'Ethereum node', command: ['node', 'scripts/provision-anvil.ts'] },
    { name: 'pages', command: ['node', 'scripts/build-web.ts'] },
    { name: 'program', command: ['node', 'scripts/build-server.ts'] },
  ],
  [
    { name: 'types', command: ['tsc', '--noEmit'] },
    {
      name: 'types of the pages',
      command: ['svelte-check', '--workspace', 'web', '--tsconfig', './tsconfig.json', '--fail-on-warnings'],
    },
    { name: 'lint', command: ['biome', 'ci', '--error-on-warnings', '.'] },
    { name: 'contract', command: ['redocly', 'lint'] },
    { name: 'generated files', command: ['node', 'scripts/generate.ts', '--check'] },
    // They wait often enough that the others cost no time beside them.
    {
      name: 'tests',
      command: [
        'vitest',
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${vitestReport}`,
      ],
      isShown: true,
      count: countTests,
    },
  ],
]

const total: Counts = { passed: 0, failed: 0 }
const broken: string[] = []
const failedTests: string[] = []
for (const stage of stages) {
  console.log(`\n── ${stage.map(({ name }) => name).join(', ')}`)
  await Promise.all(stage.map(check))
}
await rm(reports, { recursive: true, force: true })
if (broken.length > 0) console.log(['', `Failed: ${broken.join(', ')}`, ...failedTests].join('\n'))
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

async function check({ name, command, count, isShown = false }: Step): Promise<void> {
  const startedAt = Date.now()
  const { ok, output } = await run(command, isShown)
  const { passed, failed } = count ? await count(ok) : { passed: ok ? 1 : 0, failed: ok ? 0 : 1 }
  total.passed += passed
  total.failed += failed
  if (failed > 0) broken.push(name)
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(`${output}── ${name}: ${failed > 0 ? 'FAILED' : 'ok'}, ${seconds} s`)
}

/** Runs a program; what it says is shown as it comes if `isShown`, else given back in one piece. */
async function run(
  [program, ...args]: Step['command'],
  isShown: boolean,
): Promise<{ ok: boolean; output: string }> {
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
    // npm takes an installation without development tools for production, and says so to whatever it runs.
    env: {
      ...process.env,
      NODE_ENV: 'test',
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ ok: code === 0, output }))
    child.once('error', (error) =>
      resolve({ ok: false, output: `${program} could not be started: ${error.message}\n` }),
    )
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
