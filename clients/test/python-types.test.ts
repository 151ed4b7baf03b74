import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../python/', import.meta.url))

/** What mypy says about these files; it writes no cache. */
function check(...paths: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const args = ['--cache-dir=/dev/null', '--no-error-summary', '--python-version=3.9', ...paths]
    execFile('/usr/bin/mypy', args, { cwd: folder }, (_, stdout, stderr) => resolve(`${stdout}${stderr}`))
  })
}

it('the client in Python and code that uses it are fully typed, down to Python 3.9', async () => {
  expect(await check('src', 'test/usage.py', 'test/probe.py')).toBe('')
})

it('the types find each mistake', async () => {
  const lines = readFileSync(`${folder}test/misuse.py`, 'utf8').split('\n')
  const planted = lines.flatMap((line, at) => (line.endsWith('# mistake') ? [at + 1] : []))
  const found = [...(await check('test/misuse.py')).matchAll(/^test\/misuse\.py:(\d+): error/gm)]
  expect([...new Set(found.map(([, line]) => Number(line)))]).toEqual(planted)
  expect(planted.length).toBeGreaterThan(5)
})
