import { expect } from 'vitest'
import { type Answer, readContract } from './contract.ts'

const contract = readContract('internal-contract.generated.json')

/** The links of a payment page have this origin in tests, though the service listens elsewhere. */
export const publicOrigin = 'https://pay.example'

/** The ticket in a link that a payment page gives to wallets. */
export function ticketIn(uri: string): string {
  const [, ticket] = /^solana:https:\/\/pay\.example\/solana-pay\/([\w-]{43})$/.exec(uri) ?? []
  if (ticket === undefined) throw new Error(`${uri} is not a transaction request.`)
  return ticket
}

/** Calls an operation as a payer's wallet does, and checks the answer against the contract. */
export async function callAsWallet(
  baseUrl: string,
  operationId: 'describePaymentRequest' | 'makePaymentTransaction',
  ticket: string,
  options: { account?: unknown; body?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const operation = contract.find(operationId)
  const body = options.account === undefined ? options.body : JSON.stringify({ account: options.account })
  const response = await fetch(
    `${baseUrl}${operation.path.replace('{ticket}', encodeURIComponent(ticket))}`,
    {
      method: operation.method,
      headers: {
        Origin: 'https://wallet.example',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { body }),
    },
  )
  const text = await response.text()
  const answer = { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  contract.expect(operation, answer)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('cache-control')).toBe('no-store')
  // What wallets show of an error is written twice, never differently.
  if (answer.status !== 200) expect(answer.body.message).toBe(answer.body.error.message)
  return answer
}
