import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

export type TestResult = {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending'
  /** Why it failed, in one line. */
  readonly why?: string
}

export type FileResult = {
  readonly project: string
  readonly path: string
  readonly seconds: number
  /** Whether it failed outside its tests: while loading, in a hook, or by an uncaught error. */
  readonly isBroken: boolean
  /** Why it broke, in one line. */
  readonly why?: string
  readonly tests: readonly TestResult[]
}

export type RunResult = {
  readonly files: readonly FileResult[]
  /** Uncaught errors that belong to no file. */
  readonly strayErrors: readonly string[]
}

/** The environment variable that names the file for a run's results. */
export const resultsVariable = 'SLUICE_TEST_RESULTS'

const shownLength = 300

function inOneLine(errors: readonly { message: string }[] | undefined): { why?: string } {
  const message = errors?.[0]?.message.replaceAll(/\s+/g, ' ').trim()
  return message === undefined ? {} : { why: message.slice(0, shownLength) }
}

/** Writes the result of each test, for `run-tests.ts`. */
export default class ResultReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const path = process.env[resultsVariable]
    if (path === undefined) return
    const originOf = (error: SerializedError) => error.VITEST_TEST_PATH
    const result: RunResult = {
      files: modules.map((module) => {
        const outside = [
          ...module.errors(),
          ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
          ...unhandled.filter((error) => originOf(error) === module.moduleId),
        ]
        return {
          project: module.project.name,
          path: relative(process.cwd(), module.moduleId),
          seconds: Math.round(module.diagnostic().duration / 1000),
          isBroken: outside.length > 0,
          ...inOneLine(outside),
          tests: [...module.children.allTests()].map((test) => ({
            name: test.fullName,
            state: test.result().state,
            ...inOneLine(test.result().errors),
          })),
        }
      }),
      strayErrors: unhandled
        .filter((error) => !modules.some(({ moduleId }) => moduleId === originOf(error)))
        .map(({ message }) => message),
    }
    writeFileSync(path, JSON.stringify(result))
  }
}
