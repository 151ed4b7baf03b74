import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Sluice, SluiceError } from '../../sdk/src/client.ts'

/** Endpoints of the shop: one works, one has always been broken, one is to be switched off, one broke lately. */
const endpoints = [
  { path: '/orders', status: 204, description: 'Orders', events: undefined, from: 0 },
  { path: '/accounting', status: 500, description: 'Accounting', events: ['invoice.paid'], from: 0 },
  { path: '/old-crm', status: 410, description: 'Old CRM', events: ['payout.completed'], from: 0 },
  { path: '/warehouse', status: 503, description: 'Warehouse', events: ['invoice.paid'], from: 90 },
] as const

export type Receiver = {
  /** Adds the endpoints that exist once this percentage of the story has been told. */
  addEndpoints(sluice: Sluice, percent: number): Promise<void>
  close(): void
}

/** Receives webhooks on this machine while the data is made. */
export async function startReceiver(say: (line: string) => void): Promise<Receiver> {
  const server = createServer((request, response) => {
    request.resume()
    const status = endpoints.find(({ path }) => path === request.url)?.status ?? 404
    response.writeHead(status).end(status === 204 ? undefined : `The ${request.url} endpoint does not work.`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const left = [...endpoints]
  let isRefused = false
  return {
    async addEndpoints(sluice, percent) {
      while (!isRefused && left[0] !== undefined && left[0].from <= percent) {
        const { path, description, events } = left.shift() as (typeof left)[0]
        const url = `http://127.0.0.1:${port}${path}`
        try {
          await sluice.webhookEndpoints.create({ url, description, ...(events && { events: [...events] }) })
        } catch (error) {
          if (!(error instanceof SluiceError) || error.code !== 'webhook_target_refused') throw error
          isRefused = true
          say('  No webhooks: this service sends none to its own machine (SLUICE_WEBHOOK_ALLOW=127.0.0.1).')
        }
      }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
