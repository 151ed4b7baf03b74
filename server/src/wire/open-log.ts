import { isatty } from 'node:tty'
import { createLog, type Log } from '../log.ts'
import { createLogLines } from '../log-lines.ts'
import { readableLines } from '../readable-lines.ts'
import type { Settings } from '../settings/settings.ts'

const standardError = 2

/** The log of a process, on standard error: short lines on a terminal, JSON elsewhere. */
export function openLog({ logFormat }: Pick<Settings, 'logFormat'>, level: string): Log {
  const lines = createLogLines(standardError)
  const isForPeople = logFormat === null ? isatty(standardError) : logFormat === 'text'
  return createLog(level, isForPeople ? readableLines(lines) : lines)
}
