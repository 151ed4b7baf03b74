import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Lets `work` fill a new folder in `parent`, beside its destination, so that another process finds the destination
 * complete or not at all. Anything not moved there is removed, also on Ctrl-C.
 */
export async function withFreshFolder(parent: string, work: (fresh: string) => Promise<void>): Promise<void> {
  const fresh = await mkdtemp(join(parent, 'dist-'))
  const remove = () => rmSync(fresh, { recursive: true, force: true })
  const end = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal])
  process.on('exit', remove)
  for (const signal of signals) process.on(signal, end)
  try {
    await work(fresh)
  } finally {
    remove()
    process.off('exit', remove)
    for (const signal of signals) process.off(signal, end)
  }
}
