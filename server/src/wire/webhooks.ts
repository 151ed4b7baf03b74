import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Webhooks } from '../app/app.ts'
import { sealKeyBytes } from '../domain/seal.ts'
import { writeOnceDurably } from '../durable-file.ts'
import type { Log } from '../log.ts'
import { readAllowList } from '../outbound/webhooks/allow-list.ts'
import { checkTarget } from '../outbound/webhooks/check-target.ts'
import { createWebhookClient } from '../outbound/webhooks/webhook-client.ts'
import { type Settings, SettingsError } from '../settings.ts'
import type { Closers } from './closers.ts'

// The sender bounds what is under way; the client must not refuse what the sender has begun.
const perHost = 128
const inAll = 256

export async function assembleWebhooks(settings: Settings, log: Log, closers: Closers): Promise<Webhooks> {
  const { allow, problems } = readAllowList(settings.webhookAllow)
  if (problems.length > 0)
    throw new SettingsError(problems.map((each) => `SLUICE_WEBHOOK_ALLOW: ${each}`).join('\n'))
  const client = createWebhookClient({ allow, perHost, inAll })
  closers.add(async () => client.close())
  const sealKey =
    settings.secretKey ?? (settings.databaseUrl === null ? await keyInFolder(settings.dataDir) : null)
  if (sealKey === null) log.warn('SLUICE_SECRET_KEY is not set: webhook endpoints cannot be made')
  return {
    client,
    checkTarget: (url, environment) => checkTarget(url, { environment, allow }),
    sealKey,
  }
}

/** The key of a data folder, made on first use. Of several processes at once one makes it, and all use that one. */
async function keyInFolder(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret-key')
  await mkdir(dataDir, { recursive: true })
  const read = async () => {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (text === null) return null
    const key = Buffer.from(text.trim(), 'hex')
    if (key.length !== sealKeyBytes)
      throw new SettingsError(
        `${path} is damaged. Bring it back from a backup: webhook secrets cannot be read without it.`,
      )
    return key
  }
  const kept = await read()
  if (kept !== null) return kept
  await writeOnceDurably(path, `${randomBytes(sealKeyBytes).toString('hex')}\n`)
  const made = await read()
  if (made === null) throw new Error(`${path} was written and is not there.`)
  return made
}
