import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changeMember, getSession, listInvoices } from '@sluice/web/operations'
import { requestTo } from '@sluice/web/ui/operation.ts'
import { describe, expect, it } from 'vitest'
import { pageContract, pageOperations, pageValues } from '../../../scripts/page-operations.ts'

const web = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(web, path), 'utf8')
const contract = (name: string) => JSON.parse(read(`../server/src/http/${name}.generated.json`))
const open = contract('contract')
const asked = pageContract(contract('internal-contract'), open)

describe('the operations of the pages', () => {
  it('are those of the contract, and so are the values of its enumerations', () => {
    expect(read('operations.generated.ts')).toBe(pageOperations(asked, open))
    expect(read('values.generated.ts')).toBe(pageValues(asked))
  })

  it('include those of the public contract that need no key, at their served path', () => {
    const [secured, free] = [{ operationId: 'listInvoices', responses: {} }, { operationId: 'listRates' }]
    const { paths } = pageContract(
      { paths: {} },
      {
        servers: [{ url: '/api' }],
        paths: {
          '/v1/invoices': { get: secured },
          '/v1/rates': { get: { ...free, security: [], responses: {} } },
        },
      },
    )
    expect(Object.keys(paths)).toEqual(['/api/v1/rates'])
  })
})

describe('the URL of a call', () => {
  it('has every value in its place, and no value escapes from it', () => {
    expect(requestTo(changeMember, { path: { merchantID: 'm', userID: 'a/../b?c#d' } })).toEqual({
      method: 'PATCH',
      url: '/dashboard-api/merchants/m/team/members/a%2F..%2Fb%3Fc%23d',
    })
    expect(requestTo(getSession)).toEqual({ method: 'GET', url: '/dashboard-api/session' })
  })

  it('contains the filters that are set', () => {
    const path = { merchantID: 'm', environment: 'test' }
    const query = { status: 'a&b', currency: null, external_id: '', limit: 0, offset: undefined }
    expect(requestTo(listInvoices, { path, query }).url).toBe(
      '/dashboard-api/merchants/m/test/invoices?status=a%26b&limit=0',
    )
  })
})

describe('the sources of the pages', () => {
  const sources = readdirSync(web, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|svelte|html)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(web.length + 1))
    // The guides call no operation: all that they load is a file of their own.
    .filter((path) => /^\w+\/src\//.test(path) && !path.startsWith('guides/'))
  const withText = (form: RegExp) => sources.filter((path) => form.test(read(path)))

  it('contain no path of the service, because paths come from the contract', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(withText(/\b(dashboard|checkout)-api\b|\/api\/v|\/v\d+\//)).toEqual([])
    // Everything else that begins with a slash: pages and files, and the fields that a refusal can name.
    const known = /^\/(dashboard|docs|pay|checkout-assets|favicon\.ico|allowed_ips|embed_origins)(?![\w-])/
    const paths = sources.flatMap((path) =>
      [...read(path).matchAll(/['"`](\/\w[^'"`]*)/g)].map(([, text = '']) => text),
    )
    expect(paths.length).toBeGreaterThan(30)
    expect(paths.filter((text) => !known.test(text))).toEqual([])
  })

  it('define no operation, and send requests only through one', () => {
    expect(withText(/\bas Operation\b/)).toEqual([])
    // One asks for no data: whether the dashboard itself can be loaded again.
    const loading = 'dashboard/src/load-page.ts'
    expect(withText(/\bfetch\(|EventSource|XMLHttpRequest|sendBeacon|WebSocket/)).toEqual([loading])
    expect(read(loading).match(/\bfetch\([^)]*\)/g)).toEqual([
      "fetch('/dashboard', { method: 'HEAD', cache: 'no-store' })",
    ])
  })
})

it('the home page, which is not built, links only to paths of the contract', () => {
  const links = [...read('home/index.html').matchAll(/href="(\/api\/[^"?]*)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(0)
  for (const link of links) expect(asked.paths[link], link).toHaveProperty('get')
})
