import { sha256 } from '@noble/hashes/sha2.js'
import { base58, hex, utf8 } from '@scure/base'
import type { Asset, AssetRegistry } from '../../domain/assets.ts'
import type { Network } from '../../domain/networks/network.ts'
import { canonicalAddress } from '../../gates/evm/address.ts'
import type { GateAsset } from '../../gates/gate.ts'
import { encodeClassicAddress } from '../../gates/xrp/address.ts'
import { contractOf, readContract } from '../../gates/xrp/issued-currency.ts'

const evmAddressBytes = 20
const accountIdBytes = 20

/**
 * The assets of a simulated network in the test environment. A token has its own fixed contract address there, which cannot
 * be mistaken for the live one and which no wallet knows.
 */
export function testAssets(registry: AssetRegistry, network: Network): GateAsset[] {
  return registry.flatMap(({ code, assets }) =>
    assets
      .filter((asset) => asset.network.id === network.id)
      .map((asset) => ({ ...asset, currency: code, contractAddress: testContract(code, asset) })),
  )
}

function testContract(code: string, { network, contractAddress }: Asset): string | null {
  if (contractAddress === null) return null
  const digest = sha256(utf8.decode(`sluice simulated token ${code} on ${network.id}`))
  switch (network.family) {
    case 'evm':
      return canonicalAddress(`0x${hex.encode(digest.slice(-evmAddressBytes))}`)
    case 'solana':
      return base58.encode(digest)
    case 'xrp':
      return testIssued(contractAddress, digest.slice(-accountIdBytes))
    default:
      throw new Error(`${code} cannot be a token on ${network.name}: its family has no tokens.`)
  }
}

/** The same code, of an issuer that only the simulated ledger has. */
function testIssued(contract: string, accountId: Uint8Array): string {
  const issued = readContract(contract)
  if (issued === null) throw new Error(`${contract} names no currency and issuer.`)
  return contractOf({ ...issued, issuer: encodeClassicAddress(accountId) })
}
