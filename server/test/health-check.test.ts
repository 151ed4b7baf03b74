import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const program = fileURLToPath(new URL('../bin/health.mjs', import.meta.url))

async function check(env: Record<string, string>): Promise<number> {
  const [code] = await once(spawn(process.execPath, [program], { env, stdio: 'ignore' }), 'exit')
  return code
}

it.each([
  ['127.0.0.1', {}],
  ['127.0.0.3', { SLUICE_METRICS_HOST: '127.0.0.3' }],
  ['127.0.0.1', { SLUICE_METRICS_HOST: '0.0.0.0' }],
])('the health check of a container asks where metrics are served: %s with %o', async (address, given) => {
  const server = createServer((request, response) =>
    response.writeHead(request.url === '/healthz' ? 200 : 404).end(),
  )
  server.listen(0, address)
  await once(server, 'listening')
  const env = { ...given, SLUICE_METRICS_PORT: String((server.address() as AddressInfo).port) }
  expect(await check(env)).toBe(0)
  server.close()
  await once(server, 'close')
  expect(await check(env)).toBe(1)
})
