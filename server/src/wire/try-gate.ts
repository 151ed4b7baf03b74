import { type AssetRegistry, networkIn, registryOf } from '../domain/assets.ts'
import type { TrialReport, TriedServer } from '../domain/gate-trial.ts'
import { shippedNetworks } from '../domain/networks/shipped.ts'
import { GateOutageError } from '../gates/gate.ts'
import { RpcRefusal } from '../gates/json-rpc.ts'
import { compareServers } from '../gates/trial/compare-servers.ts'
import { masking } from '../gates/trial/mask-secrets.ts'
import { latencyOf, newMeter, TrialLimit } from '../gates/trial/metered-rpc.ts'
import { type Reading, tryNode } from '../gates/trial/try-node.ts'
import type { GateConfig } from '../settings/gate-config.ts'
import { SettingsError } from '../settings/settings.ts'
import { Closers } from './closers.ts'
import { chainOf, trialConfigs, type WantedTrial } from './trial-configs.ts'
import { openTriedNode } from './tried-nodes.ts'

// A person waits for it.
const maxMs = 180_000
const maxCalls = 5_000
// A server chooses what it says, and the report is read by people.
const maxShown = 4_000
const maxSoftware = 100

/** Tries the servers that the operator names, or those of the gate in these settings. Reads only. */
export async function tryGate(
  wanted: WantedTrial,
  configured: { readonly assets: AssetRegistry; readonly gates: readonly GateConfig[] } | null,
): Promise<TrialReport> {
  const registry = configured?.assets ?? registryOf(shippedNetworks)
  const configs = trialConfigs(registry, wanted, configured?.gates ?? [])
  const [first] = configs
  if (first === undefined) throw new SettingsError('Name a server: --url http://…')
  const startedAt = new Date()
  const tried = await Promise.all(
    configs.map((config, at) => tryServer(registry, config, at + 1, wanted.blocks)),
  )
  const withoutSecrets = masking(configs.flatMap(urlsOf))
  // Masked first: half of a secret would not be found.
  const mask = (text: string) => clipped(withoutSecrets(text))
  const agreement = await compareServers(
    tried.map(({ server, reading }) => ({ name: `server ${server.number} (${server.place})`, reading })),
  )
  return masked(mask, {
    network: first.network,
    chain: chainOf(first),
    blocks: wanted.blocks,
    startedAt,
    tookMs: Date.now() - startedAt.getTime(),
    servers: tried.map(({ server }) => server),
    agreement,
  })
}

async function tryServer(
  registry: AssetRegistry,
  config: GateConfig,
  number: number,
  blocks: number,
): Promise<{ server: TriedServer; reading: Reading }> {
  const closers = new Closers()
  const meter = newMeter({ maxMs, maxCalls })
  const { host, protocol } = new URL(urlsOf(config)[0] as string)
  const isEncrypted = protocol === 'https:'
  try {
    const node = openTriedNode(registry, config, networkIn(registry, config.network), meter, closers)
    const { findings, reading } = await tryNode(node, meter, { blocks, isEncrypted, now: () => new Date() })
    const software = await node.software().catch((error: unknown) => {
      if (error instanceof GateOutageError || error instanceof RpcRefusal || error instanceof TrialLimit)
        return null
      throw error
    })
    return {
      reading,
      server: {
        number,
        place: host,
        isEncrypted,
        software: software?.slice(0, maxSoftware) ?? null,
        requests: meter.requests,
        calls: meter.calls,
        latencyMs: latencyOf(meter),
        findings,
      },
    }
  } finally {
    await closers.close()
  }
}

function clipped(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`
}

function urlsOf(config: GateConfig): readonly string[] {
  return config.kind === 'bitcoin' ? [config.rpcUrl()] : config.rpcUrls()
}

/** The report with every text masked that a server may have had a part in. */
function masked(mask: (text: string) => string, report: TrialReport): TrialReport {
  const finding = <F extends TrialReport['agreement']>(found: F): F => ({
    ...found,
    says: mask(found.says),
    todo: found.todo === null ? null : mask(found.todo),
    lie:
      found.lie === null
        ? null
        : { call: mask(found.lie.call), said: mask(found.lie.said), truth: mask(found.lie.truth) },
  })
  return {
    ...report,
    servers: report.servers.map((server) => ({
      ...server,
      software: server.software === null ? null : mask(server.software),
      findings: server.findings.map(finding),
    })),
    agreement: finding(report.agreement),
  }
}
