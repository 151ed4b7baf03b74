import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { patienceMs } from '../patience.ts'

export type TlsAnswer = {
  readonly status: number
  readonly text: string
  readonly headers: IncomingMessage['headers']
}

/** A caller who knows a domain's address and trusts one root certificate, and no other. */
export type TlsClient = {
  get(path: string, headers?: Record<string, string>): Promise<TlsAnswer>
  /** Begins a request whose answer does not end. */
  open(path: string, headers?: Record<string, string>): Promise<IncomingMessage>
  /** Runs a script in which curl is such a caller too. */
  shell(script: string, folder: string): Promise<string>
}

const run = promisify(execFile)

export function tlsClient(domain: string, address: string, rootFile: string): TlsClient {
  async function open(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const agent = new Agent({ ca: await readFile(rootFile, 'utf8') })
    return new Promise((resolve, reject) => {
      const asked = request(
        { agent, host: address, servername: domain, path, headers: { Host: domain, ...headers } },
        resolve,
      )
      asked.on('error', reject).end()
    })
  }
  return {
    open,
    async get(path, headers) {
      const answer = await open(path, headers)
      let text = ''
      for await (const chunk of answer) text += chunk
      return { status: answer.statusCode ?? 0, text, headers: answer.headers }
    },
    async shell(script, folder) {
      await writeFile(
        join(folder, '.curlrc'),
        `cacert = "${rootFile}"\nresolve = "${domain}:443:${address}"\n`,
      )
      const env = { PATH: process.env.PATH, CURL_HOME: folder }
      return (await run('sh', ['-euc', script], { env, cwd: folder, timeout: patienceMs })).stdout
    },
  }
}
