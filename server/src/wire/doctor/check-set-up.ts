import type { Finding } from '../../app/operator/judge-health.ts'
import type { Log } from '../../log.ts'
import type { Settings } from '../../settings/settings.ts'
import { storeOn } from '../../store/store.ts'
import { Closers } from '../closers.ts'
import { checkDatabase } from './check-database.ts'
import { checkMachine } from './check-machine.ts'
import { checkNodes } from './check-nodes.ts'
import { checkMail, checkPublicUrl, checkRedis } from './check-outside.ts'
import { checkAudit, checkReadiness, checkWebhooks } from './check-readiness.ts'

/**
 * Checks everything that a running service depends on. Changes nothing, sends no mail, signs nothing and needs no
 * passphrase; what needs a part that is missing is left out.
 */
export async function checkSetUp(settings: Settings, log: Log): Promise<Finding[]> {
  const closers = new Closers()
  try {
    const machine = checkMachine(settings, process.env.SLUICE_CONFIG || null)
    const outside = Promise.all([
      checkNodes(settings.assets, settings.config.gates),
      checkPublicUrl(settings),
      checkMail(settings),
      checkRedis(settings),
    ])
    const { findings, database } = await checkDatabase(settings, log, closers)
    const store = database === null ? null : storeOn(database.db)
    const stored =
      store === null ? [] : [await checkWebhooks(settings, store), await checkAudit(store, new Date())]
    const [nodes, published, mail, redis] = await outside
    return [
      ...(await machine),
      ...findings,
      ...nodes,
      ...published,
      mail,
      ...(redis === null ? [] : [redis]),
      ...stored,
      ...(await checkReadiness(settings, store)),
    ]
  } finally {
    await closers.close()
  }
}
