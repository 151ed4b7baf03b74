/** The service's heap after 20,000, 60,000 and 100,000 invoices, some of them paid: it must not grow. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeTemporaryFolder } from '../../server/test/support/processes/temporary-folder.ts'
import { nextRequest } from '../create-invoice/bench.ts'
import type { Ratio } from '../measure.ts'
import { type Connection, openConnections, requestText } from '../requests.ts'
import { type BenchService, fillWithMadeUpAddresses, startBenchService } from '../service.ts'

const concurrency = 64
const marks = [20_000, 60_000, 100_000]
const paidAtEachMark = 100
const megabyte = 1024 * 1024

export async function run(): Promise<Record<string, Ratio>> {
  const folder = await makeTemporaryFolder('sluice-bench-', 'disk')
  const heapFile = join(folder.path, 'heap.json')
  const service = await startBenchService({
    // In one process, which may also write its measurements to a file.
    program: ['--expose-gc', join(import.meta.dirname, 'service.ts')],
    env: { BENCH_HEAP_FILE: heapFile },
  })
  try {
    await fillWithMadeUpAddresses(service.databaseUrl, 'bitcoin-test', (marks.at(-1) ?? 0) * 2)
    const connections = await openConnections(service.url, concurrency)
    const create = creator(service, connections)
    const heaps: number[] = []
    for (const mark of marks) {
      await create(mark)
      const { heapUsed, rss } = await measureHeap(service.pid, heapFile)
      heaps.push(heapUsed / megabyte)
      console.log(
        `  ${mark} invoices: heap ${(heapUsed / megabyte).toFixed(1)} MB after collection, resident ${(rss / megabyte).toFixed(0)} MB`,
      )
    }
    for (const connection of connections) connection.close()
    const [first = Number.NaN, last = Number.NaN] = [heaps[0], heaps.at(-1)]
    return {
      'memory: heap after 100000 invoices against after 20000 (at most 1.10)': {
        ours: last,
        baseline: first,
        ratio: last / first,
        unit: 'MB',
      },
    }
  } finally {
    await service.stop()
    await folder.remove()
  }
}

/** Creates invoices up to a total, and then pays some of them, one after the other. */
function creator(service: BenchService, connections: readonly Connection[]) {
  const next = nextRequest(service)
  let created = 0
  return async (upTo: number): Promise<void> => {
    const toPay: string[] = []
    await Promise.all(
      connections.map(async (connection) => {
        while (created < upTo) {
          created++
          const answer = await connection.send(next(), 201)
          if (toPay.length < paidAtEachMark) toPay.push(answer)
        }
      }),
    )
    const [connection] = connections
    if (connection === undefined) throw new Error('no connection')
    for (const answer of toPay) await pay(service, connection, answer)
  }
}

async function pay({ url, key }: BenchService, connection: Connection, created: string): Promise<void> {
  const address = /"deposit_address":"([^"]+)"/.exec(created)?.[1]
  const body = JSON.stringify({ address, amount: '0.0015', currency: 'BTC' })
  await connection.send(requestText('POST', `${url}/api/v1/test/deposits`, { key, body }), 201)
}

async function measureHeap(pid: number, file: string): Promise<NodeJS.MemoryUsage> {
  // Wait until everything that requests left behind is released.
  await delay(3_000)
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file)) await delay(50)
  return JSON.parse(readFileSync(file, 'utf8')) as NodeJS.MemoryUsage
}
