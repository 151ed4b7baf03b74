import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Whether a person can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true
}

/** Asks a person, without showing what is typed. The question goes to standard error: standard output is for answers. */
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

/** Everything on standard input, or one hidden line from a person. */
export async function readInput(question: string): Promise<string> {
  return canAsk() ? askHidden(question) : text(process.stdin)
}
