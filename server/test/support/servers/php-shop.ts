import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { woocommerceFiles } from '../../../../scripts/release/woocommerce.ts'
import { patienceMs } from '../patience.ts'
import { makeTemporaryFolder } from '../processes/temporary-folder.ts'
import { freePort } from './free-port.ts'

const router = fileURLToPath(new URL('../../../../shops/woocommerce/test/shop.php', import.meta.url))
// Requests of shoppers and webhooks meet, as on a real server.
const workers = '3'

// biome-ignore lint/suspicious/noExplicitAny: tests read the fields they need
type Row = any

export type PhpShop = {
  readonly url: string
  /** Does what a shopper, the checkout or the staff would do. */
  act(what: string, input?: object): Promise<Row>
  /** A request to the shop's own addresses; redirects are not followed. */
  ask(path: string, init?: RequestInit): Promise<Response>
  order(id: number): Promise<Row>
  stop(): Promise<void>
}

/** The plugin for WooCommerce as it ships, in Debian's PHP, on stand-ins for WordPress and WooCommerce. */
export async function startPhpShop(): Promise<PhpShop> {
  const folder = await makeTemporaryFolder('sluice-shop-')
  const plugin = join(folder.path, 'plugin')
  for (const { name, contents } of woocommerceFiles()) {
    mkdirSync(dirname(join(plugin, name)), { recursive: true })
    writeFileSync(join(plugin, name), contents)
  }
  const state = join(folder.path, 'state')
  mkdirSync(state)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = spawn('/usr/bin/php', ['-d', 'display_errors=1', '-S', `127.0.0.1:${port}`, router], {
    env: { SLUICE_TEST_PLUGIN: plugin, SLUICE_TEST_STATE: state, PHP_CLI_SERVER_WORKERS: workers },
    stdio: 'ignore',
    detached: true,
  })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { redirect: 'manual', ...init })
  await vi.waitFor(() => ask('/'), { timeout: patienceMs, interval: 20 })
  const act = async (what: string, input?: object): Promise<Row> => {
    const answer = await ask(`/test/${what}`, {
      ...(input !== undefined && { method: 'POST', body: JSON.stringify(input) }),
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`The shop answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
  return {
    url,
    act,
    ask,
    order: (id) => act(`order?id=${id}`),
    stop: async () => {
      // The workers are its children, and do not end with it.
      process.kill(-(server.pid as number), 'SIGTERM')
      await once(server, 'exit')
      await folder.remove()
    },
  }
}
