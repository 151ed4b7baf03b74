import type { FastifyInstance } from 'fastify'

/** `/healthz`: the process answers. `/readyz`: it can do its work; `problem` says what is missing, or null. */
export function serveHealth(server: FastifyInstance, problem: () => Promise<string | null>): void {
  server.get('/healthz', (request, reply) => {
    request.operation = 'healthz'
    reply.header('Cache-Control', 'no-store').send({ status: 'ok' })
  })
  server.get('/readyz', async (request, reply) => {
    request.operation = 'readyz'
    const missing = await problem()
    reply.header('Cache-Control', 'no-store').code(missing === null ? 200 : 503)
    return missing === null ? { status: 'ready' } : { status: 'not_ready', problem: missing }
  })
}
