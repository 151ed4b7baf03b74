/** The baseline: Fastify with two routes that answer with given bytes. */
import { readFileSync } from 'node:fs'
import fastify from 'fastify'

const [currenciesFile = '', eventsFile = ''] = process.argv.slice(2)
const server = fastify()
for (const [path, file] of [
  ['/currencies', currenciesFile],
  ['/events', eventsFile],
] as const) {
  const body = readFileSync(file, 'utf8')
  server.get(path, (_request, reply) =>
    reply.header('Content-Type', 'application/json; charset=utf-8').send(body),
  )
}
const url = await server.listen({ host: '127.0.0.1', port: 0 })
process.on('SIGTERM', () => server.close())
console.log(JSON.stringify({ url }))
