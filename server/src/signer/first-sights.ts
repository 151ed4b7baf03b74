import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Environment } from '../domain/environment.ts'
import { syncFolder } from '../durable-file.ts'
import { type ChainedFile, type LineBody, openChainedFile } from './chained-file.ts'
import { WalletError } from './wallet-file.ts'

/** A payout, and exactly what was approved by how many. */
export type Sight = { readonly payoutId: string; readonly approved: string }

/** When this signer first saw each approved payout that cools off, on its own disk and by its own clock. */
export type FirstSights = {
  /** When it first saw this, which is now if it never did. On disk only after `save`. */
  see(sight: Sight, now: Date): Date
  has(payoutId: string): boolean
  payoutIds(): readonly string[]
  save(): Promise<void>
  /** Whether the file has grown so much that it is time to `keep` only what is needed. */
  isLong(): boolean
  /** Forgets all payouts but these. */
  keep(payoutIds: ReadonlySet<string>): Promise<void>
  close(): Promise<void>
}

const version = 1
const longLines = 10_000

export function sightsPath(dataDir: string, environment: Environment): string {
  return join(dataDir, 'wallet', `${environment}-cooling-off.jsonl`)
}

/** Opens or creates the file. The caller holds the folder's lock. Without it, every cooling-off period begins again. */
export async function openFirstSights(path: string, environment: Environment): Promise<FirstSights> {
  const seen = new Map<string, { readonly approved: string; readonly at: Date }>()
  let lines = 0
  const take = ({ payout, approved, at }: LineBody) => {
    lines++
    seen.set(String(payout), { approved: String(approved), at: new Date(String(at)) })
  }
  let file = await openNoted(path, environment, take)
  const add = (to: ChainedFile, payoutId: string, { approved, at }: { approved: string; at: Date }) =>
    to.add({ version, payout: payoutId, approved, at: at.toISOString() })

  return {
    see({ payoutId, approved }, now) {
      const known = seen.get(payoutId)
      if (known?.approved === approved) return known.at
      const first = { approved, at: now }
      seen.set(payoutId, first)
      add(file, payoutId, first)
      lines++
      return now
    },
    has: (payoutId) => seen.has(payoutId),
    payoutIds: () => [...seen.keys()],
    save: () => file.save(),
    isLong: () => lines > longLines + 2 * seen.size,
    async keep(payoutIds) {
      for (const id of [...seen.keys()]) if (!payoutIds.has(id)) seen.delete(id)
      if (lines === seen.size) return
      const temporary = `${path}.new`
      await rm(temporary, { force: true })
      const next = await openNoted(temporary, environment, () => {})
      try {
        for (const [id, first] of seen) add(next, id, first)
        await next.save()
        await rename(temporary, path)
      } catch (error) {
        await next.close()
        throw error
      }
      await syncFolder(dirname(path))
      await file.close()
      file = next
      lines = seen.size
    },
    close: () => file.close(),
  }
}

async function openNoted(
  path: string,
  environment: Environment,
  take: (body: LineBody) => void,
): Promise<ChainedFile> {
  const file = await openChainedFile(
    path,
    (body, _place, line) => {
      if (body.version !== version) return false
      if (line === 0) return body.cooling_off_of === environment
      take(body)
      return true
    },
    (line) =>
      new WalletError(
        `${path} is damaged at line ${line}: the line is not what was written there. Move it away and start the signer: every ` +
          'cooling-off period that has not ended begins again.',
      ),
  )
  if (file.isNew) {
    file.add({ version, cooling_off_of: environment })
    await file.save()
  }
  return file
}
