import { isSameProof, type Prover } from '../../domain/address-proofs.ts'
import type { Environment } from '../../domain/environment.ts'
import type { PublicKeys, PublishedWallet } from '../../store/addresses/wallet-keys.ts'

/** The networks whose public keys no signer with this service's secret key has published. */
export function unprovedKeys(
  prover: Prover | null,
  environment: Environment,
  { wallet, keys, proofs }: PublishedWallet,
): string[] {
  if (prover === null) return []
  return Object.entries(keys)
    .filter(([network, publicKey]) => {
      const proof = prover.ofKey({ environment, wallet, network, publicKey })
      return !isSameProof(proofs[network] ?? null, proof)
    })
    .map(([network]) => network)
}

/** By network, the proofs that a signer publishes with its keys; null without a secret key. */
export function proofsOfKeys(
  prover: Prover | null,
  environment: Environment,
  wallet: string,
  keys: PublicKeys,
): PublicKeys {
  return Object.fromEntries(
    Object.entries(keys).map(([network, publicKey]) => [
      network,
      prover?.ofKey({ environment, wallet, network, publicKey }) ?? null,
    ]),
  )
}
