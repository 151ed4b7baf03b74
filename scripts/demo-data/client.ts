import { setTimeout as delay } from 'node:timers/promises'
import { createSluice, type Sluice } from '../../sdk/src/client.ts'

const longestCallMs = 180_000
const usualWaitSeconds = 5

/** A client that waits where the service asks it to slow down, and says so. A refused request did nothing. */
export function patientClient(url: string, key: string, say: (line: string) => void): Sluice {
  return createSluice({
    baseUrl: `${url}/api`,
    apiKey: key,
    timeoutMs: longestCallMs,
    fetch: async (target, init) => {
      for (;;) {
        const response = await fetch(target, init as RequestInit)
        if (response.status !== 429) return response
        await response.body?.cancel()
        const seconds = Number(response.headers.get('retry-after')) || usualWaitSeconds
        say(`  The key's requests for this minute are used up. Going on in ${seconds} s.`)
        await delay(seconds * 1_000)
      }
    },
  })
}

/** Asks until it is so, or until there is no point in waiting any longer. */
export async function until<T>(
  ask: () => Promise<T>,
  isSo: (answer: T) => boolean,
  { everyMs = 700, longestMs = 60_000 } = {},
): Promise<T> {
  const endMs = performance.now() + longestMs
  for (;;) {
    const answer = await ask()
    if (isSo(answer) || performance.now() > endMs) return answer
    await delay(everyMs)
  }
}
