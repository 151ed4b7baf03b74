import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The answer to a call: a result, or an error in its place. */
// biome-ignore lint/suspicious/noExplicitAny: any parameters of any call, and any answer
export type Script = Record<string, (...params: any[]) => unknown>

/** A refusal of a scripted node. */
export class ScriptedError {
  readonly error: { readonly code: number; readonly message: unknown; readonly data?: unknown }
  constructor(code: number, message: unknown, data?: unknown) {
    this.error = { code, message, ...(data !== undefined && { data }) }
  }
}

export type ScriptedNode = {
  readonly url: string
  /** What it answers to each method from now on. It does not know any other. */
  script: Script
  /** The methods that were called, in order. */
  readonly calls: string[]
  close(): Promise<void>
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

/** A node that speaks JSON-RPC over HTTP and answers by a script, for what a real one cannot be made to do. */
export async function startScriptedNode(script: Script = {}): Promise<ScriptedNode> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body: Call | Call[] = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)))
  })

  function answer({ id, method, params }: Call): object {
    node.calls.push(method)
    const found = node.script[method]?.(...params) ?? null
    const isKnown = method in node.script
    const result = isKnown ? found : new ScriptedError(-32_601, 'Method not found')
    return { jsonrpc: '2.0', id, ...(result instanceof ScriptedError ? result : { result }) }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const node: ScriptedNode = {
    url: `http://127.0.0.1:${port}/`,
    script,
    calls: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return node
}
