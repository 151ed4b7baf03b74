import { ServiceError } from '../../../domain/errors.ts'
import type { App } from '../../app.ts'

/** The gate, and its cold wallet, if refills can come from it. */
export function coldSideOf(app: Pick<App, 'gates' | 'spending'>, gateId: string) {
  const gate = app.gates.find(gateId)
  if (gate === null)
    throw new ServiceError('not_found', `There is no gate ${gateId} here. See: npx sluice gate list`)
  const { spending } = gate
  if (spending.kind !== 'coins')
    throw new ServiceError(
      'validation_error',
      `Refills are prepared for Bitcoin-like networks only. On ${gate.network.name}, send funds from the cold wallet to the hot wallet’s address: npx sluice wallet addresses`,
    )
  const policy = app.spending.cold.get(gate.id)
  if (policy === undefined)
    throw new ServiceError(
      'conflict',
      `${gateId} has no cold wallet. Set one under cold in SLUICE_CONFIG: see docs/operating/wallets.md`,
    )
  return { gate, spending, policy }
}
