import type { Endpoints } from '../endpoints.ts'
import type { GateAsset, NodeGate, SolanaSpending } from '../gate.ts'
import { askDestination, destinationFault } from './node-accounts.ts'
import type { Commitment } from './node-blocks.ts'
import { nodeFate } from './node-fate.ts'
import { type ComputePrices, nodeFeeRate } from './node-fees.ts'
import { nodeNonceCreation, nodeNonces } from './node-nonces.ts'
import { nodePayment } from './node-payments.ts'
import { nodeBroadcast } from './node-sending.ts'
import { nodeSimulation } from './node-simulation.ts'

export type SolanaNodeSpendingOptions = {
  readonly nodes: Pick<Endpoints, 'ask' | 'agree'>
  readonly spending: SolanaSpending
  readonly assets: readonly GateAsset[]
  /** Up to which block the chain is followed. */
  readonly commitment: Commitment
  readonly prices: ComputePrices
  /** Told what the operator should know, as often as it is seen. */
  readonly warn?: (words: string) => void
}

/** How a gate pays, and how it is paid by wallets that ask for a transaction. */
export type SolanaNodeSpending = Pick<NodeGate, 'feeRate' | 'broadcast' | 'fate' | 'nextNonce'> &
  Required<Pick<NodeGate, 'simulateTransfer' | 'destinationFault' | 'nonceAccounts' | 'paymentTransaction'>>

/**
 * Pays over the nodes' JSON-RPC: `sendTransaction`, `getSignatureStatuses`, `getTransaction`, `getSignaturesForAddress`,
 * `getMultipleAccounts`, `getLatestBlockhash`, `getMinimumBalanceForRentExemption`, `simulateTransaction`, `getSlot`,
 * `getBlocks`, `getBlock` and, if a node has it, `getRecentPrioritizationFees`.
 */
export function solanaNodeSpending({
  nodes,
  spending,
  assets,
  commitment,
  prices,
  warn = () => {},
}: SolanaNodeSpendingOptions): SolanaNodeSpending {
  const { hotAddress } = spending

  /** The accounts that every one of our transactions, or every one of a token, writes to. */
  function written(): readonly string[] {
    if (hotAddress === null) return []
    const tokens = assets.filter(({ contractAddress }) => contractAddress !== null)
    return [hotAddress, ...tokens.map((asset) => spending.tokenAccount(hotAddress, asset))]
  }

  return {
    feeRate: () => nodes.ask((rpc) => nodeFeeRate(rpc, written(), prices)),
    broadcast: (transaction) => nodes.ask((rpc) => nodeBroadcast(rpc, transaction)),
    // What is ruled out is paid again by another transaction: one node's word may not be enough.
    fate: (candidates) =>
      nodes.agree(
        (rpc) => nodeFate(rpc, candidates, commitment),
        ({ kind }) => kind === 'ruled_out',
      ),
    // Transactions hold nonce accounts instead.
    nextNonce: async () => 0n,
    simulateTransfer: (from, to, asset, units, memo = null) =>
      nodes.ask((rpc) =>
        nodeSimulation(rpc, {
          hotAddress: hotAddress ?? from,
          from,
          to,
          asset,
          units,
          memo,
          token: spending.tokenOf(asset),
        }),
      ),
    destinationFault: (address) =>
      nodes.ask(async (rpc) => destinationFault(await askDestination(rpc, address, 'confirmed'))),
    paymentTransaction: (order) => nodes.ask((rpc) => nodePayment(rpc, order, { spending, assets, prices })),
    nonceAccounts: {
      async values(indexes) {
        if (hotAddress === null || indexes.length === 0) return new Map()
        return nodes.ask((rpc) => nodeNonces(rpc, hotAddress, indexes, warn))
      },
      creation: () => nodes.ask(nodeNonceCreation),
    },
  }
}
