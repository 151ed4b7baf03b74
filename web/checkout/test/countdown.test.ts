import { expect, it } from 'vitest'
import { announcedMinute, clockText, durationText, secondsLeft } from '../src/countdown.ts'

const heard = { said: '2026-11-15T09:30:00.000Z', heardAtMs: 1_000_000 }

it('the time left follows the service’s clock, however wrong the payer’s is', () => {
  const end = '2026-11-15T09:45:00.000Z'
  expect(secondsLeft(end, heard, 1_000_000)).toBe(900)
  expect(secondsLeft(end, heard, 1_000_500)).toBe(900)
  expect(secondsLeft(end, heard, 1_061_000)).toBe(839)
  expect(secondsLeft(end, { ...heard, heardAtMs: -5_000_000_000 }, -5_000_000_000)).toBe(900)
})

it('the time left ends at zero, and without a deadline there is none', () => {
  expect(secondsLeft('2026-11-15T09:29:00.000Z', heard, 1_000_000)).toBe(0)
  expect(secondsLeft(null, heard, 1_000_000)).toBeNull()
})

it('the clock is written the same in every language', () => {
  expect(clockText(0)).toBe('0:00')
  expect(clockText(65)).toBe('1:05')
  expect(clockText(3600 * 26 + 61)).toBe('26:01:01')
  expect(durationText(872)).toBe('PT14M32S')
})

it('the time is announced when five minutes and one minute are left, and never otherwise', () => {
  const said = []
  for (let second = 900; second > 0; second--) {
    const minutes = announcedMinute(second, second - 1)
    if (minutes !== null) said.push([second - 1, minutes])
  }
  expect(said).toEqual([
    [300, 5],
    [60, 1],
  ])
  expect(announcedMinute(200, 900)).toBeNull()
  expect(announcedMinute(null, 60)).toBeNull()
})
