import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../support/processes/temporary-folder.ts'
import { contractOperations } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
})
afterAll(() => service.stop())

const read = async (path: string): Promise<Row> => (await fetch(`${service.url}${path}`)).json()

/** The same for a request that names another host. */
function readAs(host: string, path: string): Promise<Row> {
  return new Promise((resolve, reject) => {
    get(`${service.url}${path}`, { headers: { host } }, (answer) =>
      json(answer).then(resolve as never, reject),
    ).on('error', reject)
  })
}

it('the description in OpenAPI 3.0 is valid and leaves no operation out', async () => {
  const description = await read('/api/openapi-3.0.json')
  expect(description.openapi).toBe('3.0.3')
  const ids = Object.values(description.paths as Row).flatMap((item) =>
    Object.values(item as Row).map((operation: Row) => operation.operationId),
  )
  expect(ids).toEqual(contractOperations.map(({ id }) => id))
  const { get: listed, post } = description.paths['/v1/payouts']
  expect([listed.security, post.security]).toEqual([[{ apiKey: [] }], [{ apiKey: [] }]])
  expect(listed.description).toMatch(/\n\nRequires the permission `payouts:read`\.$/)
  expect(post.description).toMatch(/\n\nRequires the permission `payouts:write`\.$/)
  const folder = await makeTemporaryFolder('sluice-openapi-')
  try {
    const file = join(folder.path, 'openapi.json')
    await writeFile(file, JSON.stringify(description))
    const quietly = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    // Any error, such as a keyword that 3.0 does not know, makes it fail.
    await promisify(execFile)(
      join(import.meta.dirname, '../../../../node_modules/.bin/redocly'),
      ['lint', file, '--extends', 'spec'],
      { cwd: folder.path, env: { ...process.env, ...quietly } },
    )
  } finally {
    await folder.remove()
  }
})

it('in OpenAPI 3.0, null and references are said in its own words', async () => {
  const { components } = await read('/api/openapi-3.0.json')
  const { InvoiceFields, Pagination, Payout } = components.schemas
  expect(InvoiceFields.properties.external_id).toMatchObject({ type: 'string', nullable: true })
  expect(InvoiceFields.properties.paid_at).toMatchObject({
    nullable: true,
    allOf: [{ $ref: '#/components/schemas/Timestamp' }],
    description: 'When the amount was reached.',
  })
  expect(Payout.properties.amount).toMatchObject({ allOf: [{ $ref: '#/components/schemas/Amount' }] })
  expect(Pagination.properties.total.type).toBe('integer')
  expect(JSON.stringify(components)).not.toMatch(/"type":\[|"const":|unevaluatedProperties/)
})

it('every request of the Postman collection reaches its operation', async () => {
  // Wherever the collection was loaded, its key goes to this service only.
  const collection = await readAs('elsewhere.example', '/api/postman.json')
  expect(collection.variable).toContainEqual({
    key: 'base_url',
    value: `${service.url}/api`,
    type: 'string',
  })
  const requests: Row[] = collection.item.flatMap((folder: Row) =>
    folder.item.map((item: Row) => item.request),
  )
  expect(requests).toHaveLength(contractOperations.length)
  const [refund] = requests.filter(({ method, url }) => method === 'POST' && url.raw.endsWith('/v1/refunds'))
  expect(refund?.description).toMatch(/Requires the permission `refunds:write`\.$/)
  const invoice = await shop.create()
  for (const { method, header, url, body, auth } of requests) {
    const leave = new AbortController()
    const path = url.path
      .map((step: string) => (step === ':currency' ? 'BTC' : step.startsWith(':') ? invoice.id : step))
      .join('/')
    const answer = await fetch(
      url.raw.replace('{{base_url}}', `${service.url}/api`).replace(/\/v1.*/, `/${path}`),
      {
        method,
        headers: {
          ...Object.fromEntries(
            header.filter((each: Row) => !each.disabled).map(({ key, value }: Row) => [key, value]),
          ),
          ...(auth?.type !== 'noauth' && { 'X-API-Key': shop.key }),
        },
        ...(body !== undefined && { body: body.raw }),
        signal: leave.signal,
      },
    )
    // A stream would go on for as long as it is read.
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
    const text = isStream ? '' : await answer.text()
    leave.abort()
    expect([401, 403, 405, 415, 500], `${method} ${path}: ${text}`).not.toContain(answer.status)
    expect(text, `${method} ${path}`).not.toContain('There is nothing at this URL')
    // The bodies are the contract's own examples. Only ids of the user's are missing.
    if (answer.status === 400) expect(text, path).toMatch(/eventID|endpointID|must be the id|invalid_state/)
  }
})
