import type { FastifyInstance } from 'fastify'

/** `/healthz`: the process answers. `/readyz`: it is able to serve; `problem` says what is missing, or null. */
export function serveHealth(server: FastifyInstance, problem: () => Promise<string | null>): void {
  // Anyone may ask, so the database is asked only once at a time, however many ask.
  let asking: Promise<string | null> | null = null
  const ask = () => {
    asking ??= problem().finally(() => {
      asking = null
    })
    return asking
  }
  server.get('/healthz', (request, reply) => {
    request.operation = 'healthz'
    reply.header('Cache-Control', 'no-store').send({ status: 'ok' })
  })
  server.get('/readyz', async (request, reply) => {
    request.operation = 'readyz'
    const missing = await ask()
    reply.header('Cache-Control', 'no-store').code(missing === null ? 200 : 503)
    return missing === null ? { status: 'ready' } : { status: 'not_ready', problem: missing }
  })
}
