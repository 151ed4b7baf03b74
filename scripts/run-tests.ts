import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FileResult, type RunResult, resultsVariable } from './result-reporter.ts'

export type Outcome = {
  readonly passed: number
  /** Tests that failed, and failed again when their file ran alone. */
  readonly failed: readonly string[]
  /** Tests that failed once and passed once. */
  readonly flaky: readonly string[]
  readonly slowest: readonly { readonly name: string; readonly seconds: number }[]
}

// More failures than random ones: running them all again would only cost time.
const maxRepeated = 30
const shown = 10

/** Runs the tests of `root`. A file with a failure runs once more, alone. */
export async function runTests(root: string, output: 'inherit' | 'ignore' = 'inherit'): Promise<Outcome> {
  const vitest = (...args: string[]) => runVitest(root, args, output)
  const first = await vitest()
  const suspects = (first?.files.filter(hasFailed) ?? []).sort((a, b) => (a.path < b.path ? -1 : 1))
  if (first === null || (!first.isGreen && suspects.length === 0 && first.strayErrors.length === 0))
    return { passed: 0, failed: ['the test run itself'], flaky: [], slowest: [] }
  const isTried = suspects.length <= maxRepeated
  const failed: string[] = first.strayErrors.map((message) => `an error outside of every test: ${message}`)
  const flaky: string[] = []
  let passed = first.files.reduce((sum, file) => sum + count(file, 'passed'), 0)
  for (const file of suspects) {
    const again = isTried ? await runAlone(vitest, file) : null
    const verdict = compare(file, again)
    passed += verdict.recovered
    failed.push(...verdict.failed)
    flaky.push(...verdict.flaky)
  }
  const slowest = first.files
    .map((file) => ({ name: nameOf(file), seconds: file.seconds }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, shown)
  return { passed, failed, flaky, slowest }
}

function hasFailed(file: FileResult): boolean {
  return file.isBroken || count(file, 'failed') > 0
}

function count({ tests }: FileResult, state: string): number {
  return tests.filter((test) => test.state === state).length
}

function nameOf({ path, project }: FileResult): string {
  return project === '' ? path : `${path} (${project})`
}

function said(file: FileResult, name: string, why: string | undefined): string {
  return `${nameOf(file)}: ${name}${why === undefined ? '' : `\n    ${why}`}`
}

async function runAlone(
  vitest: (...args: string[]) => Promise<RunResult | null>,
  { project, path }: FileResult,
): Promise<FileResult | null> {
  const result = await vitest(...(project === '' ? [] : [`--project=${project}`]), path)
  if (result === null || result.strayErrors.length > 0) return null
  return result.files.find((file) => file.path === path && file.project === project) ?? null
}

/** Combines the two runs of a file: a test that passed in one and failed in the other is flaky. */
export function compare(
  first: FileResult,
  again: FileResult | null,
): { recovered: number; failed: string[]; flaky: string[] } {
  const failed: string[] = []
  const flaky: string[] = []
  const second = new Map(again?.tests.map((test) => [test.name, test]))
  let recovered = 0
  for (const { name, state, why } of first.tests) {
    const other = second.get(name)
    const states = [state, other?.state]
    const hasPassed = states.includes('passed')
    // Tests that a broken file never ran are skipped in the first run.
    if (hasPassed && state !== 'passed') recovered++
    if (states.includes('failed')) (hasPassed ? flaky : failed).push(said(first, name, why ?? other?.why))
  }
  // A file can fail though each of its tests passes.
  if (first.isBroken || again?.isBroken) {
    const isMended = again !== null && !(first.isBroken && again.isBroken)
    const why = first.why ?? again?.why
    ;(isMended ? flaky : failed).push(said(first, 'an error outside its tests', why))
  }
  return { recovered, failed, flaky }
}

/** Runs vitest; null if it produced no result. */
async function runVitest(
  root: string,
  args: readonly string[],
  output: 'inherit' | 'ignore',
): Promise<(RunResult & { isGreen: boolean }) | null> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-tests-'))
  const results = join(folder, 'results.json')
  try {
    const reporter = join(import.meta.dirname, 'result-reporter.ts')
    const code = await new Promise<number | null>((resolve) => {
      spawn('vitest', ['run', '--reporter=default', `--reporter=${reporter}`, ...args], {
        cwd: root,
        stdio: ['ignore', output, output],
        env: { ...testEnvironment(), [resultsVariable]: results },
      })
        .once('close', resolve)
        .once('error', (error) => {
          console.log(`vitest could not be started: ${error.message}`)
          resolve(null)
        })
    })
    const result = JSON.parse(await readFile(results, 'utf8')) as RunResult
    return { ...result, isGreen: code === 0 }
  } catch {
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** npm treats an installation without development tools as production, and tells every program it runs. */
export function testEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: 'test' }
}
