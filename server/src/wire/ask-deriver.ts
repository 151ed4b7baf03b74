import { maxBatch } from '../app/addresses/derive-elsewhere.ts'
import { OutageError } from '../domain/errors.ts'
import type { DepositSource } from '../gates/deposit-source.ts'
import type { DeriveAnswer, DeriveRequest } from './deriver-process.ts'

/** Tells the supervisor that the deriver's answer is invalid. */
export type Distrust = { readonly distrust: string }

/** The deriver as a process of the service sees it, through the supervisor: it may start no processes itself. */
export type AskedDeriver = {
  /** The addresses at `count` positions from `from` on, unchecked. Throws an OutageError when there are none. */
  ask(source: DepositSource, from: number, count: number): Promise<unknown>
  distrust(reason: string): void
  /** To be called with each answer that arrives. */
  answered(answer: DeriveAnswer): void
}

/** The supervisor answers every request: without it, this process ends. */
export function askDeriver(tell: (message: DeriveRequest | Distrust) => void): AskedDeriver {
  const waiting = new Map<number, (places: unknown) => void>()
  let asked = 0
  return {
    async ask(source, from, count) {
      const derive = ++asked
      const places = await new Promise<unknown>((resolve) => {
        waiting.set(derive, resolve)
        tell({ derive, source, from, count })
      })
      if (places === null) throw new OutageError('Deposit addresses cannot be derived at the moment.')
      return places
    },
    distrust: (reason) => tell({ distrust: reason }),
    answered({ derived, places }) {
      waiting.get(derived)?.(places)
      waiting.delete(derived)
    },
  }
}

/**
 * What a message asks of the deriver; null if it asks nothing. The supervisor reads messages by this: a process that was taken
 * over may send anything, and must not end more than itself.
 */
export function askedIn(message: unknown): DeriveRequest | Distrust | null {
  if (typeof message !== 'object' || message === null) return null
  const { derive, source, from, count, distrust } = message as Partial<Record<string, unknown>>
  if (typeof distrust === 'string') return { distrust }
  if (!isCount(derive) || !isCount(from) || !isCount(count) || count > maxBatch) return null
  return { derive, source: source as DepositSource, from, count }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
