import type { GateId } from '../../src/domain/networks/network.ts'

/** One network with coins, one with accounts that number their transactions, and one with nonce accounts. */
export const gateIds: readonly GateId[] = ['bitcoin-test', 'ethereum-test', 'solana-test']

/** The network with accounts that can be a real node. */
export const nodeGateId: GateId = 'ethereum-test'

/** Few, so that a run is short; reorganisations still reach below them. */
export const confirmations = { bitcoin: 2, ethereum: 3, solana: 3 } as const
