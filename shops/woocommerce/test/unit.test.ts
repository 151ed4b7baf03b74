import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const settings = fileURLToPath(new URL('unit/phpunit.xml', import.meta.url))

it('the plugin’s units hold, as PHPUnit says', () => {
  const { status, stdout } = spawnSync('/usr/bin/phpunit', ['-c', settings, '--colors=never'], {
    encoding: 'utf8',
  })
  expect(stdout).toMatch(/^OK \(\d{3,} tests, \d+ assertions\)$/m)
  expect(status).toBe(0)
})
