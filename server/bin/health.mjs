/**
 * Asks the Sluice in this container whether its process answers, in any role: exit code 0 if it does. For health checks of
 * container platforms, so that an image needs neither a shell nor curl. It asks on the internal port, which every role has.
 */
import { get } from 'node:http'

const timeoutMs = 5_000
const everywhere = ['0.0.0.0', '::']
const address = process.env.SLUICE_METRICS_HOST?.trim() || '127.0.0.1'
const host = everywhere.includes(address) ? '127.0.0.1' : address
const port = process.env.SLUICE_METRICS_PORT?.trim() || '9464'

const request = get({ host, port, path: '/healthz', timeout: timeoutMs }, (response) => {
  response.resume()
  process.exitCode = response.statusCode === 200 ? 0 : 1
})
request.on('timeout', () => request.destroy(new Error('no answer in time')))
request.on('error', (error) => {
  console.error(`Sluice does not answer on ${host}, port ${port}: ${error.message}`)
  process.exitCode = 1
})
