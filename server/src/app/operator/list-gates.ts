import type { GateHealth } from '../../domain/gate-health.ts'
import { type Gate, GateOutageError, hotAddressOf } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { type ColdReport, listCold } from '../spends/cold/list-cold.ts'
import { type Held, listFloats } from '../spends/hot-wallet/list-floats.ts'
import { type UnsweptList, unsweptOf } from '../spends/sweeping/list-unswept.ts'

/** A gate as its operator sees it. */
export type GateReport = {
  readonly gate: Gate
  readonly status: 'online' | 'offline' | 'halted' | 'not_followed'
  readonly haltReason: string | null
  /** Why it is offline, and what to do; null while it is online. */
  readonly offlineReason: string | null
  /** How far the chain is followed, and when it was last scanned; null before that. */
  readonly height: bigint | null
  readonly scannedAt: Date | null
  /** The height of its node's tip; null while the node does not answer. */
  readonly tipHeight: bigint | null
  readonly hotWallet: string | null
  readonly float: readonly Held[]
  readonly free: readonly Held[]
  readonly floatLowSince: Date | null
  /** Null where deposits are not swept. */
  readonly unswept: UnsweptList | null
  /** Null where there is no cold wallet, and nothing ever went to one. */
  readonly cold: ColdReport | null
}

/** All gates of this process, by environment and network. Calls all nodes at once; each gate bounds its own call. */
export async function listGates(app: App): Promise<GateReport[]> {
  const [chains, floats, low, cold] = await Promise.all([
    app.store.followedChains.list(),
    listFloats(app),
    app.store.attention.floatsLow(),
    listCold(app),
  ])
  const reports = app.gates.list().map(async (gate): Promise<GateReport> => {
    const chain = chains.find(({ gateId }) => gateId === gate.id)
    const ofGate = (held: readonly Held[]) => held.filter(({ gateId }) => gateId === gate.id)
    const [tipHeight, unswept] = await Promise.all([tipOf(gate), unsweptOf(app, gate)])
    return {
      gate,
      ...standingOf(app.gates.status(gate.id), chain),
      height: chain?.height ?? null,
      scannedAt: chain?.scannedAt ?? null,
      tipHeight,
      unswept,
      hotWallet: hotAddressOf(gate),
      float: ofGate(floats.float),
      free: ofGate(floats.free),
      floatLowSince: low.get(gate.id) ?? null,
      cold: cold.find(({ gateId }) => gateId === gate.id) ?? null,
    }
  })
  const named = ({ gate }: GateReport) => `${gate.environment} ${gate.network.id}`
  return (await Promise.all(reports)).sort((a, b) => (named(a) < named(b) ? -1 : 1))
}

/** A gate's status: halted by a deep reorganisation or by a node on another chain; otherwise as its follower says. */
export function standingOf(
  health: GateHealth,
  chain: { readonly haltReason: string | null } | undefined,
): Pick<GateReport, 'status' | 'haltReason' | 'offlineReason'> {
  const none = { haltReason: null, offlineReason: null }
  const halted = chain?.haltReason ?? null
  if (halted !== null) return { ...none, status: 'halted', haltReason: halted }
  if (!health.online && health.isWrongChain) return { ...none, status: 'halted', haltReason: health.reason }
  if (chain === undefined)
    return { ...none, status: 'not_followed', offlineReason: health.online ? null : health.reason }
  return health.online
    ? { ...none, status: 'online' }
    : { ...none, status: 'offline', offlineReason: health.reason }
}

async function tipOf(gate: Gate): Promise<bigint | null> {
  try {
    return (await gate.tip()).height
  } catch (error) {
    if (error instanceof GateOutageError) return null
    throw error
  }
}
