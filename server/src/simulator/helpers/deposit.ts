import type { App } from '../../app/app.ts'
import { placeName } from '../../app/chain/sightings.ts'
import { assetOf, invalid, unitsOf } from '../../app/choose-asset.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { SimulationRefusal } from '../chain/refusal.ts'
import { fillHotWallets } from './fill-hot-wallets.ts'
import { settleGate } from './settle-gate.ts'
import { simulatedGate } from './simulated-gate.ts'

// All deposits pay the same fee, so that they are mined in order of arrival.
const depositFeeUnits = 1n

/** Pays one of the caller's deposit addresses on the simulated network. Returns once the payment is seen. */
export async function deposit(
  app: App,
  caller: Pick<Caller, 'merchantId' | 'environment'>,
  input: {
    readonly address: string
    readonly tag: string | null
    readonly amount: string
    readonly currency: string
    readonly network: string | null
  },
): Promise<{ txHash: string }> {
  const { currency, asset } = assetOf(app.assets, input)
  const units = unitsOf(input.amount, asset.decimals, 'amount')
  const gate = simulatedGate(app, caller, asset.network.id)
  // Accept any form of the address; look it up in the form we gave out.
  const place = {
    address: gate.parseDestination(input.address, null)?.address ?? input.address,
    tag: input.tag,
  }
  const owners = await app.store.addressOwners.find(gate.keychain, [place])
  const owner = owners.get(placeName(place))
  const merchantId = (owner?.invoice ?? owner?.staticAddress)?.merchantId
  if (merchantId !== caller.merchantId)
    throw new ServiceError(
      'not_found',
      'This is not one of your deposit addresses. Check the address, and the tag if the network has tags.',
    )
  // There the hot wallet pays for everything, so it has SOL by the time that the deposit can be paid out.
  if (gate.spending.kind === 'solana') await fillHotWallets(app, gate)
  const txHash = await app.store.simulatedChains
    .submit(gate.id, {
      feeUnits: depositFeeUnits,
      outputs: [{ ...place, currency: currency.code, units }],
      makeTransaction: gate.simulated.makeTransaction,
    })
    .catch((error: unknown) => {
      if (error instanceof SimulationRefusal && error.reason === 'mempool_full')
        throw new ServiceError(
          'invalid_state',
          'Too many payments wait on this network. Mine a block first.',
          ['/network: has a full mempool'],
        )
      if (error instanceof RangeError)
        throw invalid(`/amount: is more than a transaction on ${gate.network.name} can carry`)
      throw error
    })
  await settleGate(app, gate)
  return { txHash }
}
