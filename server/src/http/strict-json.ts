import { ServiceError } from '../domain/errors.ts'

const maxDepth = 16

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses JSON more strictly than `JSON.parse`: valid UTF-8, no duplicate key in an object, no `__proto__`, no NUL or
 * lone surrogate in any string, no number that a double does not hold exactly (RFC 8785 compares bodies as doubles; two
 * that differ must not become equal), and at most `maxDepth` levels. Throws `validation_error`.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
  } catch {
    throw refused('/', 'must be valid UTF-8')
  }
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw refused('/', `must be valid JSON (${error instanceof Error ? error.message : 'cannot be read'})`)
  }
  checkTokens(text)
  return value
}

/** What is wrong with a text from outside, or null. */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL'
  if (!text.isWellFormed()) return 'must not contain lone surrogates'
  return null
}

/** One step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

const numberPattern = /-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

/**
 * Whether a number written like this survives being read and written again: no digit is lost, nothing becomes zero or
 * infinite. The notation does not matter: 1.0, 1e0 and 1 are the same number.
 */
export function survivesReading(written: string): boolean {
  const read = Number(written)
  return Number.isFinite(read) && sameDecimal(decimalOf(written), decimalOf(String(read)))
}

type Decimal = { readonly digits: string; readonly exponent: number }

/** Its digits, without zeros at either end, and their exponent. The sign is left out: reading keeps it. */
function decimalOf(written: string): Decimal {
  const [mantissa = '', exponent = '0'] = written.toLowerCase().replace(/^-/, '').split('e', 2)
  const [whole = '', fraction = ''] = mantissa.split('.', 2)
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return { digits: '', exponent: 0 }
  return {
    digits: significant,
    exponent: Number(exponent) - fraction.length + digits.length - significant.length,
  }
}

function sameDecimal(one: Decimal, other: Decimal): boolean {
  return one.digits === other.digits && one.exponent === other.exponent
}

type Level = { readonly keys: Set<string> | null; step: string | number }

/** Walks a text that is known to be valid JSON and refuses what `JSON.parse` accepts. */
function checkTokens(text: string): void {
  const levels: Level[] = []
  const here = () => levels.map((level) => pointerStep(level.step)).join('') || '/'
  let expectsKey = false
  for (let at = 0; at < text.length; at++) {
    const top = levels.at(-1)
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = stringEnd(text, at)
        const string = JSON.parse(text.slice(at, end + 1)) as string
        at = end
        if (expectsKey && top?.keys) {
          top.step = string
          expectsKey = false
          if (top.keys.has(string)) throw refused(here(), 'is a duplicate key in the same object')
          if (string === '__proto__') throw refused(here(), 'is not an allowed name')
          top.keys.add(string)
        }
        const problem = textProblem(string)
        if (problem !== null) throw refused(here(), problem)
        break
      }
      case 0x7b: // {
      case 0x5b: // [
        if (levels.length === maxDepth) throw refused(here(), `is nested deeper than ${maxDepth} levels`)
        expectsKey = text[at] === '{'
        levels.push({ keys: expectsKey ? new Set() : null, step: 0 })
        break
      case 0x7d: // }
      case 0x5d: // ]
        levels.pop()
        expectsKey = false
        break
      case 0x2c: // ,
        expectsKey = top?.keys != null
        if (top?.keys === null && typeof top.step === 'number') top.step++
        break
      default: {
        numberPattern.lastIndex = at
        const [written] = numberPattern.exec(text) ?? []
        if (written === undefined) break
        if (!survivesReading(written))
          throw refused(here(), 'is a number that cannot be kept exactly; send it as a string')
        at += written.length - 1
      }
    }
  }
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1
  return at
}

function refused(pointer: string, problem: string): ServiceError {
  return new ServiceError(
    'validation_error',
    'The request body cannot be read. Correct it and send it again.',
    [`${pointer}: ${problem}`],
  )
}
