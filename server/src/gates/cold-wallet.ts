import type { AssetRegistry } from '../domain/assets.ts'
import type { ColdWallet } from '../domain/cold-wallets.ts'
import type { Environment } from '../domain/environment.ts'
import type { Network } from '../domain/networks/network.ts'
import { bitcoinColdWallet } from './bitcoin/cold-key.ts'
import { canonicalAddress, isReserved } from './evm/address.ts'
import { assetsOf, type GateChain } from './families.ts'
import type { Family } from './family.ts'

/**
 * The operator's cold wallet on a network, from its address or extended public key; or what is wrong with that. `chain` is
 * set where a gate is not on the usual chain of its environment.
 */
export function readColdWallet(
  network: Network,
  environment: Environment,
  registry: AssetRegistry,
  chain: GateChain | undefined,
  text: string,
): ColdWallet | { readonly refused: string } {
  switch (network.family) {
    case 'bitcoin': {
      const usual = environment === 'live' ? 'main' : 'test'
      return bitcoinColdWallet(network.rules[chain?.kind === 'bitcoin' ? chain.written : usual], text)
    }
    case 'evm': {
      const contracts = assetsOf(network, environment, registry, chain).map((asset) => asset.contractAddress)
      return evmColdWallet(contracts, text)
    }
    default:
      return {
        refused: `Sluice knows cold wallets on Bitcoin-like and EVM networks, not on ${network.name}.`,
      }
  }
}

export const ownDestination = {
  refused:
    'It belongs to the wallet of this service. A cold wallet has keys of its own, which this service never sees.',
}

// Enough to notice a mistake. Funds at such an address would be no one else's.
const maxCompared = 100

/** Whether a cold wallet is part of our own wallet, as far as its first addresses show. */
export function isOwnColdWallet(
  family: Pick<Family, 'depositAddress' | 'spending'>,
  cold: ColdWallet,
): boolean {
  const address = cold.addressAt(cold.isDerived ? 0 : null)
  const { spending } = family
  if (spending.kind !== 'coins' && spending.hotAddress === address) return true
  for (let index = 0; index < maxCompared; index++) {
    if (family.depositAddress(index)?.address === address) return true
    if (spending.kind === 'coins' && spending.changeAddress(index) === address) return true
  }
  return false
}

/** A single address: on networks with accounts, each address of its own would need its own gas. */
function evmColdWallet(
  contracts: readonly (string | null)[],
  text: string,
): ColdWallet | { readonly refused: string } {
  const address = canonicalAddress(text)
  if (address === null)
    return { refused: 'It is not an address with 0x. Extended public keys are for Bitcoin-like networks.' }
  if (isReserved(address) || contracts.includes(address))
    return { refused: 'No one could spend from it: it is a token’s contract or a reserved address.' }
  return {
    destination: address,
    isDerived: false,
    addressAt: (index) => (index === null ? address : null),
    keyAt: () => null,
  }
}
