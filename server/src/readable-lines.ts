import type { LogLines } from './log-lines.ts'

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: '',
  40: 'warning',
  50: 'error',
  60: 'fatal',
}
const hidden = ['level', 'time', 'msg', 'err']
const maxFactCharacters = 60
const maxFacts = 8

/** Turns the log's JSON lines into short ones for a terminal. Any other line passes unchanged. */
export function readableLines(sink: LogLines): LogLines {
  return { write: (line) => sink.write(readable(line)) }
}

function readable(line: string): string {
  let entry: Record<string, unknown>
  try {
    entry = JSON.parse(line)
  } catch {
    return line
  }
  if (typeof entry.msg !== 'string' || typeof entry.time !== 'string') return line
  const level = levels[Number(entry.level)] ?? ''
  if (entry.operation !== undefined && entry.status !== undefined)
    return `${clockOf(entry.time)} ${entry.operation} ${entry.status} in ${entry.ms} ms ${entry.request_id}\n`
  const facts = Object.entries(entry)
    .filter(([name]) => !hidden.includes(name))
    .slice(0, maxFacts)
    .map(([name, value]) => `${name}=${shortly(value)}`)
  const { err } = entry as { err?: { message?: string; stack?: string } }
  const words = [clockOf(entry.time), level && `${level}:`, plain(entry.msg), ...facts].filter(Boolean)
  if (err?.message !== undefined) words.push(`(${plain(err.message)})`)
  return `${words.join(' ')}\n`
}

function clockOf(time: string): string {
  return new Date(time).toTimeString().slice(0, 8)
}

function shortly(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const short = text.length > maxFactCharacters ? `${text.slice(0, maxFactCharacters)}…` : text
  return plain(short)
}

// Text from outside must not control the terminal.
function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}
