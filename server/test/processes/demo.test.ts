import { expect, it } from 'vitest'
import { readSettings, type Settings } from '../../src/settings/settings.ts'
import { isFarFromMoney } from '../../src/wire/demo-file.ts'

it.each([
  ['the embedded database on this machine', {}, true],
  ['IPv6', { host: '::1' }, true],
  ['any other host', { host: '10.0.0.7' }, false],
  ['all hosts', { host: '::' }, false],
  ['a database of one’s own', { databaseUrl: 'postgres://elsewhere/sluice' }, false],
  ['a live gate', { config: { gates: [{ environment: 'live' }] } }, false],
  ['a test gate', { config: { gates: [{ environment: 'test' }] } }, true],
])('a demo merchant beside %s: %j, %s', (_, changes, isFar) => {
  expect(isFarFromMoney({ ...readSettings({}), ...changes } as Settings)).toBe(isFar)
})
