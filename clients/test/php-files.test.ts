import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../php/', import.meta.url))

it('PHP loads every class, each from its own file', () => {
  const files = readdirSync(`${folder}src`, { recursive: true, encoding: 'utf8' })
  const count = files.filter((file) => file.endsWith('.php')).length
  expect(count).toBeGreaterThan(50)
  expect(execFileSync('/usr/bin/php', [`${folder}test/load-all.php`], { encoding: 'utf8' })).toBe(
    `${count} classes\n`,
  )
})
