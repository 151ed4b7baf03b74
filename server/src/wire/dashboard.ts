import type { FastifyInstance } from 'fastify'
import type { App } from '../app/app.ts'
import { bindContract } from '../http/bind-contract.ts'
import {
  type ContractDocument,
  mirroredOperations,
  type Operation,
  readOperations,
} from '../http/contract.ts'
import { dashboardCookies } from '../http/dashboard/cookies.ts'
import { callsPerSession, callsPerStranger, dashboardDoor } from '../http/dashboard/door.ts'
import type { DashboardHandlers } from '../http/dashboard/handlers.ts'
import contract from '../http/internal-contract.generated.json' with { type: 'json' }
import type { Metrics } from '../http/metrics.ts'
import type { RateLimiter } from '../http/rate-limit/rate-limiter.ts'
import type { RollingLog } from '../http/rate-limit/rolling-log.ts'
import type { Handlers } from '../http/reply.ts'
import { dashboardAccount } from '../http/resources/account/routes.ts'
import { dashboardApproval } from '../http/resources/approval/routes.ts'
import { dashboardAuditLog } from '../http/resources/audit-log/routes.ts'
import { dashboardMoneyExports } from '../http/resources/exports/money-routes.ts'
import { dashboardExports } from '../http/resources/exports/routes.ts'
import { dashboardKeys } from '../http/resources/keys/routes.ts'
import { dashboardOperator } from '../http/resources/operator/routes.ts'
import { dashboardOverview } from '../http/resources/overview/routes.ts'
import { merchantPasskeys } from '../http/resources/passkeys/routes.ts'
import { dashboardPayoutImport } from '../http/resources/payouts/import-routes.ts'
import { dashboardPayoutQuote } from '../http/resources/payouts/quote-routes.ts'
import { policyChanges } from '../http/resources/policy/changes.ts'
import { dashboardPolicy } from '../http/resources/policy/routes.ts'
import { dashboardViews } from '../http/resources/saved-views/routes.ts'
import { dashboardSession } from '../http/resources/session/routes.ts'
import { dashboardSettings } from '../http/resources/settings/routes.ts'
import { dashboardShops } from '../http/resources/shops/routes.ts'
import { dashboardTeam } from '../http/resources/team/routes.ts'
import { dashboardTimelines } from '../http/resources/timelines/routes.ts'
import { dashboardDeliveries } from '../http/resources/webhooks/deliveries-routes.ts'
import type { Log } from '../log.ts'

/** The dashboard's API, on a server that does not listen yet. */
export async function assembleDashboard(
  server: FastifyInstance,
  parts: {
    app: App
    metrics: Metrics
    log: Log
    limiter: (prefix: string, limit: number) => Promise<RateLimiter>
    localLog: (limit: number) => RollingLog
    /** The operations for API keys and their handlers: the dashboard offers the same to signed-in users. */
    forKeys: { operations: readonly Operation[]; handlers: Handlers }
    /** Where users find the service, once its own address is known. */
    origin: { readonly url: string }
  },
): Promise<void> {
  const { app, metrics, forKeys, origin } = parts
  const document = contract as unknown as ContractDocument
  const cookies = dashboardCookies(() => origin.url.startsWith('https:'))
  const admissionTo = dashboardDoor({
    app,
    cookies,
    sessionLimiter: await parts.limiter('session', callsPerSession),
    ipLimiter: await parts.limiter('dashboard-ip', callsPerStranger),
    strangers: parts.localLog(callsPerStranger + 1),
  })
  const observer = metrics.requestObserver
  const mirrored = mirroredOperations(document, forKeys.operations)
  bindContract(server, {
    operations: mirrored,
    prefix: '',
    admissionTo,
    observer,
    handlers: Object.fromEntries(mirrored.map(({ id }) => [id, forKeys.handlers[id as keyof Handlers]])),
  })
  const onExportFailed = (error: unknown) => parts.log.warn({ err: error }, 'an export was cut short')
  const handlers: DashboardHandlers = {
    ...dashboardSession(app, cookies),
    ...dashboardAccount(app),
    ...dashboardTeam(app),
    ...dashboardTimelines(app),
    ...dashboardViews(app),
    ...dashboardKeys(app),
    ...dashboardShops(app),
    ...dashboardSettings(app),
    ...dashboardAuditLog(app),
    ...dashboardDeliveries(app),
    ...dashboardOverview(app),
    ...dashboardExports(app, onExportFailed),
    ...dashboardMoneyExports(app, onExportFailed),
    ...dashboardOperator(app),
    ...dashboardApproval(app, origin),
    ...dashboardPayoutQuote(app),
    ...dashboardPayoutImport(app),
    ...dashboardPolicy(app, origin),
    ...policyChanges(app, origin),
    ...merchantPasskeys(app, origin),
  }
  bindContract(server, {
    operations: readOperations(document, '/dashboard-api/'),
    prefix: '',
    handlers,
    admissionTo,
    observer,
  })
}
