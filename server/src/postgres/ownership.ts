import { createConnection, createServer, type Server } from 'node:net'
import { errorCode } from './error.ts'
import { pathHash } from './path-hash.ts'

export type Purpose = 'service' | 'command'

/** The process that supervises the database of a data folder. */
export type Holder = { readonly pid: number; readonly purpose: Purpose }

const answerTimeoutMs = 2_000
const maxAnswerCharacters = 1_000

/**
 * Takes the data folder if it is free. The lock is an abstract unix socket: the kernel frees it when its process ends,
 * however it ends, and no file can be left behind. Any local user can connect to it, so it reveals only the process id
 * and its purpose. `holder` is null when the holder does not identify itself.
 */
export async function takeFolder(
  dataDir: string,
  purpose: Purpose,
): Promise<{ release(): void } | { holder: Holder | null }> {
  const path = `\0sluice-${pathHash(dataDir)}`
  const server = await listen(path, `${JSON.stringify({ pid: process.pid, purpose })}\n`)
  if (server === null) return { holder: await ask(path) }
  return { release: () => void server.close() }
}

function listen(path: string, answer: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => {
      connection.on('error', () => {})
      connection.end(answer)
      // A client that connects and never closes must not delay our own exit.
      connection.setTimeout(answerTimeoutMs, () => connection.destroy()).unref()
    })
    server.once('error', (error) => {
      if (errorCode(error) === 'EADDRINUSE') resolve(null)
      else reject(error)
    })
    // Exclusive: never shared with other workers of a node:cluster. Each must take the lock itself.
    server.listen({ path, exclusive: true }, () => resolve(server))
    server.unref()
  })
}

/**
 * Asks the holder to identify itself. Any local user may hold the name, so the answer is checked and bounded like any
 * input.
 */
function ask(path: string): Promise<Holder | null> {
  return new Promise((resolve) => {
    let text = ''
    const connection = createConnection(path)
    connection.setEncoding('utf8')
    connection.setTimeout(answerTimeoutMs, () => connection.destroy())
    connection.on('data', (chunk) => {
      text += chunk
      if (text.length > maxAnswerCharacters) connection.destroy()
    })
    connection.on('error', () => {})
    connection.on('close', () => resolve(parseHolder(text)))
  })
}

function parseHolder(text: string): Holder | null {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer !== 'object' || answer === null || !('pid' in answer) || !('purpose' in answer))
      return null
    const { pid, purpose } = answer
    if (!Number.isInteger(pid) || (purpose !== 'service' && purpose !== 'command')) return null
    return { pid: Number(pid), purpose }
  } catch {
    return null
  }
}
