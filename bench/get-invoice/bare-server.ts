/**
 * The baseline: Fastify with one route that reads one row by its id with a prepared statement and answers with JSON.
 */
import fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.BENCH_DATABASE_URL, max: 20 })
const server = fastify()
server.get<{ Params: { id: string } }>('/invoices/:id', async (request) => {
  const { rows } = await pool.query({
    name: 'invoice',
    text: 'select * from invoices where id = $1',
    values: [request.params.id],
  })
  return { data: rows[0] }
})
const url = await server.listen({ host: '127.0.0.1', port: 0 })
process.on('SIGTERM', () => {
  void server.close().then(() => pool.end())
})
console.log(JSON.stringify({ url }))
