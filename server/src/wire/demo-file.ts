import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Demo } from '../app/merchants/create-demo.ts'
import { isLoopbackHost } from '../domain/ip-address.ts'
import { writeDurably } from '../durable-file.ts'
import { hasLiveGate } from '../settings/gate-config.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * Whether a demo merchant, whose login is printed, endangers no one: no live gate, the embedded database, and no way in from
 * another machine.
 */
export function isFarFromMoney({ config, databaseUrl, host }: Settings): boolean {
  return databaseUrl === null && isLoopbackHost(host) && !hasLiveGate(config.gates)
}

/**
 * Keeps the demo that the first start created, so that it can be shown again. It opens only the test environment and
 * the demo's login. If there are live gates, it is deleted.
 */
export async function keepDemo(settings: Settings, demo: Demo | null): Promise<void> {
  const path = demoFile(settings)
  if (hasLiveGate(settings.config.gates)) await rm(path, { force: true })
  else if (demo !== null) await writeDurably(path, `${JSON.stringify(demo, null, 2)}\n`)
}

/** The demo that was kept; null if there is none or it cannot be read. */
export async function readDemo(settings: Settings): Promise<Demo | null> {
  const text = await readFile(demoFile(settings), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
  if (text === null) return null
  try {
    const demo = JSON.parse(text) as Record<string, unknown>
    const { merchantId, keyId, key, email, password } = demo
    const parts = { merchantId, keyId, key, email, password }
    return Object.values(parts).every((part) => typeof part === 'string') ? (parts as Demo) : null
  } catch {
    // The file was edited and cannot be recovered.
    return null
  }
}

function demoFile({ dataDir }: Settings): string {
  return join(dataDir, 'demo.json')
}
