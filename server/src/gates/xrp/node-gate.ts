import type { Environment } from '../../domain/environment.ts'
import { gateId, type Network } from '../../domain/networks/network.ts'
import { say } from '../../domain/reasons/reasons.ts'
import type { Family } from '../family.ts'
import { type Gate, type GateAsset, type NodeGate, nativeOf } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { readContract } from './issued-currency.ts'
import { askAccount, nodeSimulation } from './node-accounts.ts'
import { nodeFate } from './node-fate.ts'
import { type FeeBounds, feeAbove, nodeFeeRate } from './node-fees.ts'
import { askOpen, type NodeLedger } from './node-ledgers.ts'
import { type XrpReadingOptions, xrpReading } from './node-reading.ts'
import { nodeBroadcast } from './node-sending.ts'
import { type IssuedAsset, proposedIn, transfersIn } from './node-transfers.ts'
import { issuedSimulation, nodeCanHold, trustSimulation } from './node-trust.ts'
import { nonceOf } from './sign-plan.ts'

export type XrpNodeGateOptions = Pick<XrpReadingOptions, 'networkId' | 'endpoints' | 'agreement'> & {
  readonly network: Network
  readonly environment: Environment
  readonly keychain: string
  readonly assets: readonly GateAsset[]
  readonly family: Family
  /** Whether payments in the open ledger are shown as pending. */
  readonly showsPending: boolean
  readonly lookEveryMs?: number
  readonly fees: FeeBounds
}

/**
 * The gate of the XRP Ledger on rippled or Clio servers: `server_info`, `server_state`, `ledger`, `ledger_entry`, `account_info`, `tx`,
 * `fee` and `submit`. It follows validated ledgers only, and those are never replaced.
 */
export function xrpNodeGate(options: XrpNodeGateOptions): NodeGate {
  const { network, environment, keychain, assets, family, fees } = options
  if (family.spending.kind !== 'account' || family.spending.hotAddress === null)
    throw new Error('A gate on the XRP Ledger needs a family with one account.')
  const id = gateId(network.id, environment)
  const account = family.spending.hotAddress
  const receiver = { account, currency: nativeOf(assets).currency, issued: issuedAssets(assets) }
  // A trust line stays until our own account takes it back.
  const held = new Set<string>()
  // Everything sent to our account is ours, with any tag: no address has to be looked up.
  const arrivals = async ({ transactions }: NodeLedger) => transfersIn(transactions, receiver)
  const { nodes, newest, ...reading } = xrpReading({ ...options, id, arrivals })

  async function look(rpc: NodeRpc) {
    const end = await newest(rpc)
    return { tip: end, pending: options.showsPending ? proposedIn(await askOpen(rpc), receiver) : [] }
  }

  return {
    ...family,
    ...reading,
    id,
    network,
    environment,
    keychain,
    assets,
    ...(options.lookEveryMs !== undefined && { lookEveryMs: options.lookEveryMs }),
    simulated: null,
    unspent: null,
    transactions: null,
    look: () => nodes.ask(look),
    pending: async () => (await nodes.ask(look)).pending,
    feeRate: () => nodes.ask((rpc) => nodeFeeRate(rpc, fees)),
    async tooDear() {
      const least = await nodes.ask((rpc) => feeAbove(rpc, fees))
      return least === null ? null : say('xrp_too_dear', { network: network.name, least, most: fees.ceiling })
    },
    broadcast: (transaction) => nodes.ask((rpc) => nodeBroadcast(rpc, transaction)),
    // What is ruled out is paid again by another transaction: one server's word may not be enough.
    fate: (candidates) =>
      nodes.agree(
        (rpc) => nodeFate(rpc, candidates),
        ({ kind }) => kind === 'ruled_out',
      ),
    noncesStartAnywhere: true,
    nextNonce: (address) =>
      nodes.ask(async (rpc) => {
        const found = await askAccount(rpc, address)
        return found === null ? 0n : nonceOf(found)
      }),
    nativeBalance: (address) => nodes.ask(async (rpc) => (await askAccount(rpc, address))?.balance ?? 0n),
    simulateTransfer: (from, to, asset, units, tag = null) =>
      nodes.ask((rpc) => {
        const payment = { from, to, tag, units }
        if (asset.contractAddress === null) return nodeSimulation(rpc, payment)
        return units === 0n ? trustSimulation(rpc, from, to) : issuedSimulation(rpc, payment, asset)
      }),
    async canHold(asset) {
      if (held.has(asset.currency)) return true
      const canHold = await nodes.ask((rpc) => nodeCanHold(rpc, account, asset))
      if (canHold) held.add(asset.currency)
      return canHold
    },
  } satisfies Gate & NodeGate
}

/** The currencies besides XRP, as servers name them. */
export function issuedAssets(assets: readonly GateAsset[]): IssuedAsset[] {
  return assets.flatMap(({ contractAddress, currency, decimals }) => {
    const issued = contractAddress === null ? null : readContract(contractAddress)
    return issued === null ? [] : [{ issued, currency, decimals }]
  })
}
