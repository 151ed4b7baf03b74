import { createHash, randomBytes } from 'node:crypto'
import type { DashboardClient } from './dashboard-client.ts'

/** A shop's verifier and its challenge, as RFC 7636 says. */
export function shopSecret() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** What a shop's plugin asks for; with `more`, in place of it or besides. */
export function shopRequest(more: object = {}) {
  return {
    app: 'woocommerce',
    name: 'Blue Bottle',
    return: 'http://127.0.0.1:9/wp-admin/admin.php?page=sluice',
    webhook: 'http://127.0.0.1:9/wc-api/sluice',
    state: randomBytes(16).toString('hex'),
    challenge: shopSecret().challenge,
    ...more,
  }
}

type Place = { readonly merchantID: string; readonly environment: string }

/** What a shop exchanges after a user has allowed it. */
export async function allowedShop(client: DashboardClient, path: Place, request: object = {}) {
  const { verifier, challenge } = shopSecret()
  const answer = await client.call('allowShop', { path, body: { ...shopRequest(), ...request, challenge } })
  if (answer.status !== 201) throw new Error(`The shop was not allowed: ${answer.text}`)
  const code = new URL(answer.body.data.redirect_to).searchParams.get('code') ?? ''
  return { code, verifier }
}

/** A shop that a user has just connected, with its secrets. */
export async function connectedShop(
  { url }: { readonly url: string },
  client: DashboardClient,
  path: Place,
  request: object = {},
) {
  const exchange = await allowedShop(client, path, request)
  const answer = await fetch(`${url}/api/v1/shop_connections`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(exchange),
  })
  const body = (await answer.json()) as { data: { id: string; api_key: string; webhook_secret: string } }
  if (answer.status !== 201) throw new Error(`The code was refused: ${JSON.stringify(body)}`)
  return body.data
}
