/** Loaded into the service's process: on SIGUSR2 it collects garbage and writes down what is left. */
import { renameSync, writeFileSync } from 'node:fs'

process.on('SIGUSR2', () => {
  const file = process.env.BENCH_HEAP_FILE
  if (globalThis.gc === undefined || file === undefined) throw new Error('the heap cannot be measured')
  globalThis.gc()
  globalThis.gc()
  writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()))
  renameSync(`${file}.new`, file)
})
