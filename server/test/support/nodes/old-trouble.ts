import { expect } from 'vitest'
import { query } from '../database/database.ts'
import type { TestService } from '../shop/service.ts'

/**
 * Waits until the follower has recorded the trouble with a gate, and backdates it by a minute: a node has a few seconds before
 * its gate counts as offline.
 */
export async function untilFailing({ database }: TestService, gateId: string): Promise<void> {
  await expect
    .poll(
      () =>
        query(
          database.url,
          `update gate_progress set trouble_since = trouble_since - interval '1 minute'
           where gate_id = $1 and trouble is not null and trouble_since > clock_timestamp() - interval '50 seconds' returning trouble`,
          [gateId],
        ),
      { interval: 100 },
    )
    .toHaveLength(1)
}
