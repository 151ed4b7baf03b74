import type { Caller } from '../../src/domain/caller.ts'
import type { Gate } from '../../src/gates/gate.ts'
import type { ChainTransaction } from './chain.ts'
import type { Random } from './random.ts'
import type { Chains, NetworkId, Running, Stage } from './stage.ts'

/** Where money can be sent in this simulation, and what is expected there. */
export type Target = {
  readonly kind: 'invoice' | 'static_address'
  readonly id: string
  readonly merchant: Caller
  readonly network: NetworkId
  readonly currency: string
  readonly units: bigint
  readonly address: string
  readonly tag: string | null
}

export type Sent = { readonly network: NetworkId; readonly transaction: ChainTransaction }

/** A simulation in progress: the stage, its processes, and what only an observer of the chains can know. */
export type Simulation = {
  readonly stage: Stage
  readonly chains: Chains
  readonly random: Random
  /** Two processes of the service, replaced when they die, and the one that acts for payers and miners. */
  readonly service: [Running, Running]
  readonly outside: Running
  readonly networks: readonly [NetworkId, ...NetworkId[]]
  readonly merchants: Caller[]
  readonly targets: Target[]
  /** Deferred invoices whose payer has not picked yet. */
  readonly deferred: { id: string; merchant: Caller }[]
  readonly sent: Sent[]
  readonly cancelled: Set<string>
  /** Wakes the stopped process, and waits for what it does then. */
  thaw: (() => Promise<void>) | null
  readonly problems: string[]
}

export const requiredConfirmations: Readonly<Record<NetworkId, number>> = {
  bitcoin: 2,
  litecoin: 6,
  ethereum: 12,
  bsc: 15,
  xrp: 1,
}

export function gateOf({ app }: Running, network: NetworkId): Gate {
  const gate = app.gates.find(`${network}-test`)
  if (gate === null) throw new Error(`There is no gate of ${network}.`)
  return gate
}
