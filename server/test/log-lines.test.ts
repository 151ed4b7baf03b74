import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLog } from '../src/log.ts'
import { createLogLines } from '../src/log-lines.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-log-'))
})
const children: ChildProcess[] = []
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

it('every line arrives, whole and in order, however many are written at once', async () => {
  const file = join(folder, 'log')
  const fd = openSync(file, 'w')
  const lines = createLogLines(fd)
  const expected = Array.from({ length: 20_000 }, (_, n) => `line ${n} ü`)
  for (const line of expected) lines.write(`${line}\n`)
  await expect.poll(() => readFileSync(file, 'utf8').split('\n').length).toBe(expected.length + 1)
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toEqual(expected)
  closeSync(fd)
})

it('a line is written soon after, and then nothing until there is another one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const file = join(folder, 'log')
    const fd = openSync(file, 'w')
    const lines = createLogLines(fd)
    let expected = ''
    for (const line of ['one ü\n', 'two\n']) {
      expect(vi.getTimerCount()).toBe(0)
      lines.write(line)
      expected += line
      await expect
        .poll(() => {
          vi.advanceTimersByTime(50)
          return [readFileSync(file, 'utf8'), vi.getTimerCount()]
        })
        .toEqual([expected, 0])
    }
    closeSync(fd)
  } finally {
    vi.useRealTimers()
  }
})

it('buffered lines are written when the process ends', async () => {
  const child = run(`lines.write('last words\\n'); process.exit(3)`)
  const [said, code] = await Promise.all([text(child.stderr as Readable), endOf(child)])
  expect([said, code]).toEqual(['last words\n', 3])
})

describe.each([
  ['at once', `process.exit(3)`],
  ['later', `setTimeout(() => process.exit(3), 500)`],
])('a process that exits %s', (_when, ending) => {
  it('exits even if the disk is full', async () => {
    const full = openSync('/dev/full', 'w')
    const child = run(`lines.write('a line\\n'); ${ending}`, ['ignore', 'pipe', full])
    closeSync(full)
    expect(await endOf(child)).toBe(3)
  })

  it('exits even if the reader of its log is gone', async () => {
    const child = run(`process.stdin.resume().once('end', () => { lines.write('a line\\n'); ${ending} })`)
    child.stderr?.destroy()
    child.stdin?.end()
    expect(await endOf(child)).toBe(3)
  })

  it('exits even if the reader of its log has stopped reading', async () => {
    // Accessing the stream makes the descriptor non-blocking.
    const child = run(`process.stderr; ${fill} ${ending}`)
    expect(await endOf(child)).toBe(3)
    child.stderr?.destroy()
  })
})

it('a reader that does not keep up loses lines, and is told how many', async () => {
  const child = run(`process.stderr; ${fill} process.send('filled'); process.once('message', () => {})`, [
    'pipe',
    'pipe',
    'pipe',
    'ipc',
  ])
  await once(child, 'message')
  const said = text(child.stderr as Readable)
  child.disconnect()
  await endOf(child)
  const lines = (await said).trimEnd().split('\n')
  const notice = lines.findIndex((line) => line.includes('log lines were dropped'))
  expect(notice).toBeGreaterThan(7_000)
  const { msg } = JSON.parse(lines[notice] ?? '')
  expect(Number.parseInt(msg, 10)).toBe(12_000 - (lines.length - 1))
})

it('finished lines follow the log’s level', () => {
  const written: string[] = []
  const sink = { write: (line: string) => written.push(line) }
  createLog('info', sink).line('shown\n')
  createLog('warn', sink).line('hidden\n')
  expect(written).toEqual(['shown\n'])
})

// 12,000 lines of a kilobyte, more than the buffer holds.
const fill = `for (let n = 0; n < 12_000; n++) lines.write('x'.repeat(1023) + '\\n');`

function run(program: string, stdio: StdioOptions = 'pipe'): ChildProcess {
  const module = fileURLToPath(new URL('../src/log-lines.ts', import.meta.url))
  const opened = `import { createLogLines } from ${JSON.stringify(module)}; const lines = createLogLines(2); ${program}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', opened], { stdio })
  children.push(child)
  return child
}

async function endOf(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'exit')
  return code
}
