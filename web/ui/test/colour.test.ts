import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { accentFor, contrast } from '../src/colour.ts'

const anyColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

it('contrast is computed as WCAG defines it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#ffffff', '#ffffff')).toBe(1)
  // The lightest grey that passes on white.
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})

it('text on and in any shop’s colour is readable in both schemes', () => {
  fc.assert(
    fc.property(anyColour, (colour) => {
      const { light, dark } = accentFor(colour)
      for (const { surface, onSurface } of [light, dark])
        expect(contrast(surface, onSurface)).toBeGreaterThanOrEqual(4.5)
      // The ink is used on cards and on the page, and must be readable on both.
      for (const paper of ['#ffffff', '#f3f5f8'])
        expect(contrast(light.ink, paper)).toBeGreaterThanOrEqual(4.5)
      for (const paper of ['#171d25', '#0d1117', '#10161d'])
        expect(contrast(dark.ink, paper)).toBeGreaterThanOrEqual(4.5)
    }),
    { numRuns: 2000 },
  )
})

it('a colour that is already readable stays unchanged', () => {
  expect(accentFor('#0f7a5a').light).toEqual({ surface: '#0f7a5a', onSurface: '#ffffff', ink: '#0f7a5a' })
})

it('a missing or invalid colour yields the accent of the page', () => {
  expect(accentFor('red;} body{display:none')).toEqual(accentFor(null))
})

it('the backgrounds for which the accent is computed are those of the style sheet', () => {
  const tokens = readFileSync(new URL('../src/tokens.css', import.meta.url), 'utf8')
  const source = readFileSync(new URL('../src/colour.ts', import.meta.url), 'utf8')
  const papers = [
    ...tokens.matchAll(/--(?:card|paper): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g),
  ].flatMap(([, light, dark]) => [light, dark])
  expect(papers).toHaveLength(4)
  for (const paper of papers) expect(source).toContain(paper)
})
