import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

export type TestResult = {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending'
}

export type FileResult = {
  readonly project: string
  readonly path: string
  readonly seconds: number
  /** Whether it failed outside its tests: while it was loaded, in a hook, or by an error that nothing caught. */
  readonly isBroken: boolean
  readonly tests: readonly TestResult[]
}

export type RunResult = {
  readonly files: readonly FileResult[]
  /** Errors that nothing caught and that belong to no file. */
  readonly strayErrors: readonly string[]
}

/** Where the results of a run are written to. */
export const resultsVariable = 'SLUICE_TEST_RESULTS'

/** Writes what became of each test, for `run-tests.ts`. */
export default class ResultReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const path = process.env[resultsVariable]
    if (path === undefined) return
    const originOf = (error: SerializedError) => error.VITEST_TEST_PATH
    const result: RunResult = {
      files: modules.map((module) => ({
        project: module.project.name,
        path: relative(process.cwd(), module.moduleId),
        seconds: Math.round(module.diagnostic().duration / 1000),
        isBroken:
          module.errors().length > 0 ||
          [...module.children.allSuites()].some((suite) => suite.errors().length > 0) ||
          unhandled.some((error) => originOf(error) === module.moduleId),
        tests: [...module.children.allTests()].map((test) => ({
          name: test.fullName,
          state: test.result().state,
        })),
      })),
      strayErrors: unhandled
        .filter((error) => !modules.some(({ moduleId }) => moduleId === originOf(error)))
        .map(({ message }) => message),
    }
    writeFileSync(path, JSON.stringify(result))
  }
}
