import type { WalletTransaction } from '@sluice/web/contract'
import type { Asset } from '../../../domain/assets.ts'
import type { Network } from '../../../domain/networks/network.ts'

/** The transaction that a browser wallet of an EVM network is asked to send. */
export function walletTransactionView(
  transaction: {
    readonly chainId: number
    readonly to: string
    readonly valueUnits: bigint
    readonly data: string | null
  },
  asset: Pick<Asset, 'contractAddress' | 'decimals'> & { readonly currency: string },
): WalletTransaction {
  const { chainId, to, valueUnits, data } = transaction
  const { contractAddress, currency, decimals } = asset
  const token = contractAddress === null ? null : { address: contractAddress, symbol: currency, decimals }
  return { chain_id: chainId, to, value: `0x${valueUnits.toString(16)}`, data, token }
}

/**
 * The name that the Wallet Standard has for the chain of a gate on Solana, one for each public cluster; null for any other
 * chain, so that no wallet is asked to send on a chain that we do not follow.
 */
export function walletChain(network: Network, chain: string | null): string | null {
  if (network.family !== 'solana') return null
  const clusters = Object.entries(network.clusters)
  const cluster = clusters.find(([, { genesis }]) => chain === `solana ${genesis}`)?.[0]
  if (cluster === undefined) return null
  return `solana:${cluster === 'mainnet-beta' ? 'mainnet' : cluster}`
}
