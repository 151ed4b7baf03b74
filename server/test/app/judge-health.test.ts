import { expect, it } from 'vitest'
import { judgeCertificate, judgeClocks, judgeDisk, judgeMode } from '../../src/app/operator/judge-health.ts'

const gigabyte = 1024 ** 3

it.each([
  [0, 5, 'ok'],
  [1_900, 0, 'ok'],
  [-2_100, 0, 'warning'],
  [2_100, 200, 'ok'],
  [31_000, 0, 'problem'],
  [-31_000, 10, 'problem'],
])('clocks that are %d ms apart, give or take %d ms, are: %s', (offsetMs, uncertainMs, state) => {
  expect(judgeClocks(offsetMs, uncertainMs).state).toBe(state)
})

it.each([
  [50, 100, 'ok'],
  [9, 100, 'warning'],
  [4, 10, 'warning'],
  [2, 100, 'problem'],
  [0.5, 4, 'problem'],
  [0, 0, 'problem'],
])('%d GB free of %d is: %s', (free, total, state) => {
  expect(judgeDisk('/data', free * gigabyte, total * gigabyte).state).toBe(state)
})

it.each([
  [90, 'ok'],
  [20, 'warning'],
  [6, 'problem'],
  [-1, 'problem'],
])('a certificate that is valid for %d days is: %s', (days, state) => {
  const now = new Date('2026-01-01T00:00:00Z')
  const validTo = new Date(now.getTime() + (days + 0.5) * 86_400_000)
  expect(judgeCertificate('pay.example', validTo, now).state).toBe(state)
})

it.each([
  [0o700, true, null],
  [0o600, true, null],
  [0o711, false, null],
  [0o644, false, null],
  [0o640, true, 'chmod go-rwx'],
  [0o604, true, 'chmod go-rwx'],
  [0o770, false, 'chmod go-w'],
  [0o602, true, 'chmod go-w'],
])('a mode of %o, secret: %s, asks for: %s', (mode, isSecret, todo) => {
  const found = judgeMode('/data/x', mode, isSecret)
  if (todo === null) expect(found).toBeNull()
  else expect(found).toMatchObject({ state: 'problem', todo: expect.stringContaining(`${todo} /data/x`) })
})
