import type { App } from '../app/app.ts'
import type { AssetRegistry } from '../domain/assets.ts'
import type { Environment } from '../domain/environment.ts'
import type { Log } from '../log.ts'
import type { WaitingChange } from '../store/payouts/signer-changes.ts'
import type { SettingsRecord } from './operator-settings.ts'
import { weakenedRules } from './settings-rules.ts'

/** What the newest settings weaken and does not count yet. */
export function waitingSettings(
  record: SettingsRecord,
  environment: Environment,
  assets: AssetRegistry,
  now: Date,
): WaitingChange[] {
  const newest = record.waiting(now)
  if (newest === null) return []
  const { at, from } = newest
  return weakenedRules(record.standing(now), newest, environment, assets).map(({ name, change }) => ({
    kind: 'settings',
    merchantId: null,
    subject: name,
    details: change,
    at,
    from,
  }))
}

/** Publishes which settings wait, and warns of them, whenever that has changed. Returns the function that does so. */
export function settingsTeller(
  record: SettingsRecord,
  {
    environment,
    assets,
    log,
  }: { readonly environment: Environment; readonly assets: AssetRegistry; readonly log: Pick<Log, 'warn'> },
) {
  let told: string | null = null
  return async ({ store }: Pick<App, 'store'>, now: Date): Promise<void> => {
    const waiting = waitingSettings(record, environment, assets, now)
    const state = JSON.stringify(waiting)
    if (state === told) return
    await store.signerChanges.tell(environment, ['settings'], waiting)
    told = state
    for (const { subject, details, from } of waiting)
      log.warn(
        { environment, setting: `signer.${subject}`, change: details, from },
        'A SETTING OF THE SIGNER WAS WEAKENED: the old one counts until then',
      )
  }
}
