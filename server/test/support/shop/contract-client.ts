import { type Answer, type ContractOperation, readContract } from './contract.ts'

export type { Answer, ContractOperation, Parameter } from './contract.ts'

const contract = readContract('contract.generated.json')

/** Every operation of the public contract, for tests that must cover them all. */
export const contractOperations: ContractOperation[] = contract.operations

export const expectContract = contract.expect
export const { expectWebhook, expectWebhookHeaders } = contract

export type CallOptions = {
  readonly path?: Record<string, string>
  readonly query?: Record<string, string> | string
  readonly key?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Calls an operation over HTTP and checks the answer against the contract: status, headers, every field. */
export async function call(baseUrl: string, operationId: string, options: CallOptions = {}): Promise<Answer> {
  const operation = contract.find(operationId)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(options.path?.[name] ?? ''),
  )
  const query = new URLSearchParams(options.query).toString()
  const leaving = new AbortController()
  const response = await fetch(`${baseUrl}/api${path}${query === '' ? '' : `?${query}`}`, {
    method: operation.method,
    headers: {
      ...(options.key !== undefined && { 'X-API-Key': options.key }),
      ...(options.body !== undefined && { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: options.body }),
    signal: leaving.signal,
  })
  const { status, headers } = response
  const isStream = isEventStream(response)
  const text = isStream ? await beginningOf(response, leaving) : await response.text()
  const answer = { status, headers, text, body: isStream || text === '' ? null : JSON.parse(text) }
  contract.expect(operation, answer)
  return answer
}

/** Whether the answer goes on until one side ends it. */
function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type') === 'text/event-stream; charset=utf-8'
}

/** What a stream begins with; it is left then. */
async function beginningOf({ body }: Response, leaving: AbortController): Promise<string> {
  const first = await body?.getReader().read()
  leaving.abort()
  return Buffer.from(first?.value ?? []).toString('utf8')
}
