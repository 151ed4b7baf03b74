import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Whether there is a terminal to ask on. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true
}

/** Asks without echoing the input. The question goes to standard error, because standard output is for results. */
export async function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  process.stderr.write(question)
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

/** All of standard input, or one hidden line from a terminal. */
export async function readInput(question: string): Promise<string> {
  return canAsk() ? askHidden(question) : text(process.stdin)
}
