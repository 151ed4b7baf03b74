/** The whole service in one process. On SIGUSR2 it collects garbage and writes the heap size to a file. */
import { renameSync, writeFileSync } from 'node:fs'
import { createDemo } from '../../server/src/app/merchants/create-demo.ts'
import { createLog } from '../../server/src/log.ts'
import { createLogLines } from '../../server/src/log-lines.ts'
import { readSettings } from '../../server/src/settings/settings.ts'
import { startService } from '../../server/src/wire.ts'

const log = createLog('info', createLogLines(process.stderr.fd))
const service = await startService(readSettings(process.env), 'all', log)
const demo = await createDemo(service.app)

process.on('SIGUSR2', () => {
  const file = process.env.BENCH_HEAP_FILE
  if (globalThis.gc === undefined || file === undefined) throw new Error('the heap cannot be measured')
  globalThis.gc()
  globalThis.gc()
  writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()))
  renameSync(`${file}.new`, file)
})
process.once('SIGTERM', () => void service.stop())
console.log(JSON.stringify({ url: service.url, test_key: demo?.key, merchant_id: demo?.merchantId }))
