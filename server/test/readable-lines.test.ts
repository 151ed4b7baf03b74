import { expect, it } from 'vitest'
import { createLog } from '../src/log.ts'
import { readableLines } from '../src/readable-lines.ts'

function written(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('debug', readableLines({ write: (line) => void lines.push(line) })))
  return lines.join('').replace(/\d\d:\d\d:\d\d/g, 'TIME')
}

it('a terminal gets short lines with the time, the message and its fields', () => {
  expect(written((log) => log.info({ port: 9464 }, 'metrics are served'))).toBe(
    'TIME metrics are served port=9464\n',
  )
  expect(written((log) => log.warn({ err: new Error('gone') }, 'connection lost'))).toBe(
    'TIME warning: connection lost (gone)\n',
  )
  const request = `{"level":30,"time":"2026-01-01T00:00:00.000Z","request_id":"req_1","operation":"createInvoice","status":201,"ms":3.2,"ip":"::1","msg":"request"}\n`
  expect(written((log) => log.line(request))).toBe('TIME createInvoice 201 in 3.2 ms req_1\n')
})

it('long fields are truncated, and foreign text cannot control the terminal', () => {
  const text = written((log) => log.info({ label: `\u001b[2J${'x'.repeat(500)}` }, 'made\u0007 it\r\nover'))
  expect(text.length).toBeLessThan(120)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what the test looks for
  expect(text.trimEnd()).not.toMatch(/[\u0000-\u001f]/)
})

it('text that is not a log line passes unchanged', () => {
  expect(written((log) => log.line('plain words\n'))).toBe('plain words\n')
  expect(written((log) => log.line('{"odd":1}\n'))).toBe('{"odd":1}\n')
})
