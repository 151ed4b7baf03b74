import type { Command } from 'commander'
import { answer, explaining } from '../answer.ts'
import type { Tools } from '../tools.ts'
import type { ApiClient } from './client.ts'
import { type Connection, type ConnectionOptions, readConnection } from './connection.ts'

/** Runs a command over the API, then prints its result. */
export async function runOnApi<T extends object>(
  tools: Tools,
  command: Command,
  options: ConnectionOptions,
  work: (api: ApiClient) => Promise<T>,
  say: (data: T) => string,
): Promise<void> {
  await explaining(async () => {
    const data = await work(await openApi(await readConnection(tools, options)))
    answer(command, data, say(data))
  })
}

/** Loaded on demand: no other command needs an HTTP client. */
export async function openApi(connection: Connection): Promise<ApiClient> {
  const { createApiClient } = await import('./client.ts')
  return createApiClient(connection)
}
