import { base58, hex } from '@scure/base'
import type { NetworkFamily } from '../../domain/networks/network.ts'

const hashBytes = 32
// Solana identifies a transaction by its first signature.
const signatureBytes = 64

/** A random transaction hash in the format of the network's explorers. */
export function makeTransactionHash(family: NetworkFamily, random: (size: number) => Uint8Array): string {
  switch (family) {
    case 'bitcoin':
      return hex.encode(random(hashBytes))
    case 'evm':
      return `0x${hex.encode(random(hashBytes))}`
    case 'solana':
      return base58.encode(random(signatureBytes))
    case 'xrp':
      return hex.encode(random(hashBytes)).toUpperCase()
  }
}
