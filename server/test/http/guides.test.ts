import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { serveGuides } from '../../src/http/guides.ts'
import type { PageFile } from '../../src/http/page-files.ts'

let server: FastifyInstance
afterEach(() => server.close())

const html = (text: string): PageFile => ({
  mediaType: 'text/html; charset=utf-8',
  bytes: { plain: Buffer.from(text), br: Buffer.from(`br:${text}`), gzip: Buffer.from(`gz:${text}`) },
})

function serve(names: readonly string[]): void {
  server = fastify()
  server.decorateRequest('operation', '')
  server.decorateRequest('observe', () => {})
  const pages = new Map(names.map((name) => [`${name}.html`, html(`<h1>${name}</h1>`)]))
  serveGuides(server, { pages, files: new Map(), observer: () => () => {} })
}

it('a guide is served compressed, checked again at each visit, and may load nothing from elsewhere', async () => {
  serve(['index', 'concepts', 'not-found'])
  const answer = await server.inject({ url: '/guides/concepts', headers: { 'accept-encoding': 'br' } })
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toBe('br:<h1>concepts</h1>')
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self';/,
    ),
  })
  expect((await server.inject('/guides/')).body).toBe('<h1>index</h1>')
  expect((await server.inject('/guides')).headers.location).toBe('/guides/')
})

it.each(['nothing', 'not-found', '..%2f..%2fpackage.json', 'constructor', 'concepts.html'])(
  'no guide is named %s: 404, as a page that leads on',
  async (slug) => {
    serve(['index', 'concepts', 'not-found'])
    const answer = await server.inject(`/guides/${slug}`)
    expect([answer.statusCode, answer.body]).toEqual([404, '<h1>not-found</h1>'])
  },
)

it('without a build it answers 503 and says what to do', async () => {
  serve([])
  const answer = await server.inject('/guides/concepts')
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['retry-after']).toBe('60')
  expect(answer.body).toContain('npm run build')
})
