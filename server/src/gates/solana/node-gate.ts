import type { Environment } from '../../domain/environment.ts'
import { gateId, type Network } from '../../domain/networks/network.ts'
import type { Family } from '../family.ts'
import type { Gate, NodeGate } from '../gate.ts'
import { type SolanaReadingOptions, solanaReading } from './node-reading.ts'
import { type SolanaNodeSpendingOptions, solanaNodeSpending } from './node-spending.ts'

export type SolanaNodeGateOptions = Omit<SolanaReadingOptions, 'id'> &
  Pick<SolanaNodeSpendingOptions, 'prices' | 'warn'> & {
    readonly network: Network
    readonly environment: Environment
    readonly keychain: string
    readonly family: Family
  }

/** A gate on Solana nodes: what it reads is in `node-reading.ts`, how it pays in `node-spending.ts`. */
export function solanaNodeGate({
  network,
  environment,
  keychain,
  family,
  prices,
  warn,
  ...options
}: SolanaNodeGateOptions): NodeGate {
  const { spending } = family
  if (spending.kind !== 'solana') throw new Error('A gate on Solana nodes needs a family of Solana.')
  const { assets, commitment } = options
  const id = gateId(network.id, environment)
  const { nodes, chain, ...reading } = solanaReading({ ...options, id })
  const paying = solanaNodeSpending({
    nodes,
    spending,
    assets,
    commitment,
    prices,
    ...(warn !== undefined && { warn }),
  })
  return {
    ...family,
    ...reading,
    ...paying,
    id,
    network,
    environment,
    keychain,
    assets,
    get chain() {
      return chain()
    },
    simulated: null,
    unspent: null,
    transactions: null,
  } satisfies Gate & NodeGate
}
