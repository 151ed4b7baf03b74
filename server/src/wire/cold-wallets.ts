import { networkIn } from '../domain/assets.ts'
import type { ColdPolicy } from '../domain/cold-wallets.ts'
import type { GateId } from '../domain/networks/network.ts'
import { readColdWallet } from '../gates/cold-wallet.ts'
import { type Settings, SettingsError } from '../settings/settings.ts'
import type { Wallet } from '../signer/wallet.ts'
import { gateChains } from './node-gates.ts'

/** When funds go to the operator's cold wallets, by gate. Throws a SettingsError when a destination is not one. */
export function coldPolicies({
  assets,
  config,
}: Pick<Settings, 'assets' | 'config'>): ReadonlyMap<GateId, ColdPolicy> {
  const chains = gateChains(assets, config.gates)
  return new Map(
    config.cold.map(({ id, network, environment, destination, ...policy }) => {
      const known = networkIn(assets, network)
      const wallet = readColdWallet(known, environment, assets, chains.get(id), destination)
      if ('refused' in wallet) throw refusal(id, wallet.refused)
      return [id, { wallet, ...policy }]
    }),
  )
}

/** Where cold wallets are, by gate, in canonical form. */
export function coldDestinations(settings: Pick<Settings, 'assets' | 'config'>): Record<GateId, string> {
  return Object.fromEntries([...coldPolicies(settings)].map(([id, { wallet }]) => [id, wallet.destination]))
}

/** Throws a SettingsError when a signer cannot pay a cold wallet of its environment, because it is its own. */
export function checkColdWallets(
  { config }: Pick<Settings, 'config'>,
  wallet: Pick<Wallet, 'environment' | 'coldWallet'>,
): void {
  for (const { id, network, environment, destination } of config.cold) {
    const read = environment === wallet.environment ? wallet.coldWallet(network, destination) : null
    if (read !== null && 'refused' in read) throw refusal(id, read.refused)
  }
}

function refusal(id: GateId, why: string): SettingsError {
  return new SettingsError(
    `SLUICE_CONFIG: the destination under cold cannot be the cold wallet of ${id}. ${why} Correct it, and start again.`,
  )
}
