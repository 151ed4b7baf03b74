import type { GateId } from '../../src/domain/networks/network.ts'

/** One network with coins, and one with accounts and a token. */
export const gateIds: readonly GateId[] = ['bitcoin-test', 'ethereum-test']

/** The network with accounts that can be a real node. */
export const nodeGateId: GateId = 'ethereum-test'

/** Few, so that a run is short; reorganisations still reach below them. */
export const confirmations = { bitcoin: 2, ethereum: 3 } as const
