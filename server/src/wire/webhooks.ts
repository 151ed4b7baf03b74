import type { Webhooks } from '../app/app.ts'
import { type AllowList, readAllowList } from '../outbound/webhooks/allow-list.ts'
import { checkTarget } from '../outbound/webhooks/check-target.ts'
import { createWebhookClient } from '../outbound/webhooks/webhook-client.ts'
import { type Settings, SettingsError } from '../settings/settings.ts'
import type { Closers } from './closers.ts'

// The sender bounds the deliveries in progress; the client must not refuse one that the sender has started.
const perHost = 128
const inAll = 256

/** The private places that webhooks may reach. Throws a SettingsError when the setting is not right. */
export function webhookAllowList({ webhookAllow }: Pick<Settings, 'webhookAllow'>): AllowList {
  const { allow, problems } = readAllowList(webhookAllow)
  if (problems.length > 0)
    throw new SettingsError(problems.map((each) => `SLUICE_WEBHOOK_ALLOW: ${each}`).join('\n'))
  return allow
}

export function assembleWebhooks(settings: Settings, sealKey: Buffer | null, closers: Closers): Webhooks {
  const allow = webhookAllowList(settings)
  const client = createWebhookClient({ allow, perHost, inAll })
  closers.add(async () => client.close())
  return {
    client,
    checkTarget: (url, environment) => checkTarget(url, { environment, allow }),
    sealKey,
  }
}
