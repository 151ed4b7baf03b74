import { type Finding, ok, problem, warning } from '../../app/operator/judge-health.ts'
import { networkIn } from '../../domain/assets.ts'
import { isBounded } from '../../domain/spending-limits.ts'
import { assetsOf } from '../../gates/families.ts'
import { checkTarget } from '../../outbound/webhooks/check-target.ts'
import { spendingLimits } from '../../settings/limit-config.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Store } from '../../store/store.ts'
import { gateChains } from '../node-gates.ts'
import { webhookAllowList } from '../webhooks.ts'

const maxMerchants = 20
const maxEndpoints = 20
const auditEveryMs = 7 * 24 * 60 * 60 * 1000

/** Checks what live payouts need. */
export async function checkReadiness(settings: Settings, store: Store | null): Promise<Finding[]> {
  const { config, assets, databaseUrl, secretKey } = settings
  const live = config.gates.filter(({ environment }) => environment === 'live')
  if (live.length === 0) return [ok('live', 'No live gate is configured: this is a sandbox.')]
  const findings: Finding[] = []
  if (databaseUrl !== null && secretKey === null)
    findings.push(
      problem(
        'live',
        'SLUICE_SECRET_KEY is not set.',
        'Make one (openssl rand -hex 32), the same for every process.',
      ),
    )
  for (const safeguard of config.signer.waive)
    findings.push(
      problem(
        'live',
        `The signer waives ${safeguard} in live.`,
        'Remove it from signer.waive in SLUICE_CONFIG.',
      ),
    )
  const limits = spendingLimits(assets, config.signer.limits)
  const chains = gateChains(assets, live)
  for (const { id, network, environment } of live) {
    const unbounded = assetsOf(networkIn(assets, network), environment, assets, chains.get(id))
      .map(({ currency }) => currency)
      .filter((currency) => !isBounded(limits, { network, environment, currency }))
    if (unbounded.length > 0)
      findings.push(
        problem(
          'limits',
          `No limit bounds how much ${unbounded.join(', ')} leaves ${id} in a day, so the signer signs no such payout.`,
          'Set per_day for each in signer.limits of the signer’s SLUICE_CONFIG, and restart it.',
        ),
      )
    if (!config.cold.some((each) => each.id === id))
      findings.push(
        warning(
          'cold',
          `${id} has no cold wallet: everything stays in the hot wallet.`,
          'Add one under cold in SLUICE_CONFIG.',
        ),
      )
  }
  if (store !== null) findings.push(...(await checkStored(store)))
  return findings.length > 0
    ? findings
    : [ok('live', 'Limits, passkeys, cold wallets and the wallet are in place.')]
}

async function checkStored(store: Store): Promise<Finding[]> {
  const findings: Finding[] = []
  if ((await store.walletKeys.read('live')) === null)
    findings.push(
      problem(
        'live',
        'There is no live wallet yet.',
        'At the signer: npx sluice wallet init --environment live',
      ),
    )
  for (const { name, required, people } of await store.passkeyEnrolments.tooFewApprovers(
    'live',
    maxMerchants,
  ))
    findings.push(
      problem(
        'live',
        `No live payout of ${name} can be approved: ${required} people must, and ${people} can.`,
        'Have another approver add a passkey, and trust it at the signer: npx sluice passkey trust',
      ),
    )
  return findings
}

/** Checks when the books were last audited. */
export async function checkAudit(store: Store, now: Date): Promise<Finding> {
  const last = await store.auditLog.lastAudit()
  const todo = 'Run: npx sluice audit --json, and keep its output elsewhere.'
  if (last === null) return warning('audit', 'The books were never audited.', todo)
  if (!last.ok) return problem('audit', 'The last audit found differences.', 'Run: npx sluice audit')
  return now.getTime() - last.at.getTime() > auditEveryMs
    ? warning('audit', 'The books were not audited for a week.', todo)
    : ok('audit', 'The last audit found no difference.')
}

/** Checks whether this machine could reach the webhook endpoints that merchants have set. Sends nothing. */
export async function checkWebhooks(settings: Settings, store: Store): Promise<Finding> {
  const endpoints = await store.webhookEndpoints.sample(maxEndpoints)
  const allow = webhookAllowList(settings)
  const troubled: string[] = []
  for (const { url, environment } of endpoints) {
    const why = await checkTarget(url, { environment, allow })
    if (why !== null) troubled.push(`${new URL(url).host} ${why}`)
  }
  if (troubled.length > 0)
    return warning(
      'webhooks',
      `Webhooks cannot reach some endpoints: ${troubled.join('; ')}.`,
      'Check this machine’s DNS. If an endpoint is private on purpose, add it to SLUICE_WEBHOOK_ALLOW.',
    )
  return ok('webhooks', `The hosts of ${endpoints.length} webhook endpoints resolve and may be reached.`)
}
