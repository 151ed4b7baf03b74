import reference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import type { ContractDocument } from './contract.ts'

// The page may load and call nothing but this service, whatever its script would like to.
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The contract at `/api/openapi.json`, and reference pages made from it at `/docs`. */
export async function serveDocs(server: FastifyInstance, contract: ContractDocument): Promise<void> {
  const description = JSON.stringify(contract)
  server.get('/api/openapi.json', (request, reply) => {
    request.operation = 'openapi'
    reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .send(description)
  })
  await server.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/api/openapi.json',
      pageTitle: 'Sluice API',
      withDefaultFonts: false,
      defaultOpenAllTags: true,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
    hooks: {
      onRequest: (request, reply, done) => {
        request.operation = 'docs'
        reply
          .header('Content-Security-Policy', contentSecurityPolicy)
          .header('Referrer-Policy', 'no-referrer')
          .header('X-Content-Type-Options', 'nosniff')
        done()
      },
    },
  })
}
