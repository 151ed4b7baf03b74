import { expect, it } from 'vitest'
import { createLog } from '../src/log.ts'
import { readableLines } from '../src/readable-lines.ts'

function written(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('debug', readableLines({ write: (line) => void lines.push(line) })))
  return lines.join('').replace(/\d\d:\d\d:\d\d/g, 'TIME')
}

it('a terminal gets short lines: the time, what happened, and its facts', () => {
  expect(written((log) => log.info({ port: 9464 }, 'metrics are served'))).toBe(
    'TIME metrics are served port=9464\n',
  )
  expect(written((log) => log.warn({ err: new Error('gone') }, 'connection lost'))).toBe(
    'TIME warning: connection lost (gone)\n',
  )
  const request = `{"level":30,"time":"2026-01-01T00:00:00.000Z","request_id":"req_1","operation":"createInvoice","status":201,"ms":3.2,"ip":"::1","msg":"request"}\n`
  expect(written((log) => log.line(request))).toBe('TIME createInvoice 201 in 3.2 ms req_1\n')
})

it('long facts are cut, and nothing that others wrote can steer the terminal', () => {
  const text = written((log) => log.info({ label: `\u001b[2J${'x'.repeat(500)}` }, 'made\u0007 it\r\nover'))
  expect(text.length).toBeLessThan(120)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  expect(text.trimEnd()).not.toMatch(/[\u0000-\u001f]/)
})

it('what is not a line of the log passes as it is', () => {
  expect(written((log) => log.line('plain words\n'))).toBe('plain words\n')
  expect(written((log) => log.line('{"odd":1}\n'))).toBe('{"odd":1}\n')
})
