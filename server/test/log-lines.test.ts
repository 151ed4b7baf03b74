import { execFile } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog } from '../src/log.ts'
import { createLogLines } from '../src/log-lines.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('every line arrives, whole and in order, however many come at once', async () => {
  const file = join(folder, 'log')
  const fd = openSync(file, 'w')
  const lines = createLogLines(fd)
  const expected = Array.from({ length: 20_000 }, (_, n) => `line ${n} ü`)
  for (const line of expected) lines.write(`${line}\n`)
  await expect.poll(() => readFileSync(file, 'utf8').split('\n').length).toBe(expected.length + 1)
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toEqual(expected)
  closeSync(fd)
})

it('what is held when the process ends is written then', async () => {
  const module = fileURLToPath(new URL('../src/log-lines.ts', import.meta.url))
  const program = `import { createLogLines } from ${JSON.stringify(module)}; createLogLines(2).write('last words\\n'); process.exit(3)`
  const ended = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]).catch(
    (error) => error,
  )
  expect(ended.stderr).toContain('last words')
})

it('finished lines follow the log’s level', () => {
  const written: string[] = []
  const sink = { write: (line: string) => written.push(line) }
  createLog('info', sink).line('shown\n')
  createLog('warn', sink).line('hidden\n')
  expect(written).toEqual(['shown\n'])
})
