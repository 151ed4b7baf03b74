import type { SignerTools } from '../cli/tools.ts'
import { readSettingsRecord, settingsPath } from '../signer/operator-settings.ts'
import { rulesInForce } from '../signer/settings-rules.ts'
import { latest } from '../signer/standing.ts'
import { waitingSettings } from '../signer/tell-settings.ts'
import { givenSettings } from './signer.ts'

/** Implements the commands about the signer's settings. They run on its machine, because only there are they kept. */
export const signerTools: SignerTools = {
  async settings(settings, environment) {
    const { assets, dataDir } = settings
    const path = settingsPath(dataDir, environment)
    const record = await readSettingsRecord(path, environment, givenSettings(settings))
    const now = latest(new Date(), record.newestMs())
    return {
      path,
      inForce: rulesInForce(record.standing(now), environment, assets),
      waiting: waitingSettings(record, environment, assets, now).map(({ subject, details, from }) => ({
        name: subject,
        change: details,
        from,
      })),
      isChanged: record.isOther,
    }
  },
}
