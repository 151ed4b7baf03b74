import { randomUUID } from 'node:crypto'
import { type AddressBook, createAddressBook } from '../app/addresses/address-book.ts'
import { type AddressProofs, createAddressProofs } from '../app/addresses/address-proofs.ts'
import { checkNewest } from '../app/addresses/check-newest.ts'
import { deriveElsewhere } from '../app/addresses/derive-elsewhere.ts'
import { fillPool, type Keychain, topUpPool } from '../app/addresses/fill-pool.ts'
import { unprovedKeys } from '../app/addresses/published-keys.ts'
import type { App } from '../app/app.ts'
import { beginFollowing } from '../app/chain/begin-following.ts'
import { checkGates } from '../app/gates/check-gates.ts'
import { createGateBook, type GateBook, type GateStatus } from '../app/gates/gate-book.ts'
import type { Reports } from '../app/reports.ts'
import type { Prover } from '../domain/address-proofs.ts'
import { type AssetRegistry, networksIn } from '../domain/assets.ts'
import { type Environment, environments } from '../domain/environment.ts'
import type { Network } from '../domain/networks/network.ts'
import type { Gate, NodeGate } from '../gates/gate.ts'
import type { WalletKeys } from '../gates/wallet-keys.ts'
import type { Log } from '../log.ts'
import type { GateConfig } from '../settings/gate-config.ts'
import { SettingsError } from '../settings/settings.ts'
import { simulatedChainOf } from '../simulator/chain/chains.ts'
import { simulatedGate } from '../simulator/gate/gate.ts'
import { transactionMaker } from '../simulator/gate/make-transaction.ts'
import { testAssets } from '../simulator/gate/test-assets.ts'
import { testFamily } from '../simulator/gate/test-families.ts'
import { testReader } from '../simulator/gate/test-readers.ts'
import type { PublishedWallet } from '../store/addresses/wallet-keys.ts'
import type { Store } from '../store/store.ts'
import { startLoop } from '../worker/loop.ts'
import type { AskedDeriver } from './ask-deriver.ts'
import type { Closers } from './closers.ts'
import { checkChains, checkNodes, type NodeCounts, noCounts, openNodeGate } from './node-gates.ts'

const checkEveryMs = 1_000
const nameEveryMs = 5_000
const checkAddressesEveryMs = 60_000

/** The gates of this process. They are created when the wallet's public keys are known. */
export type Gates = {
  readonly book: GateBook
  readonly addresses: AddressBook
  readonly proofs: AddressProofs
  readonly keychains: () => readonly Keychain[]
  /** By gate, what was counted about its nodes. */
  readonly nodeCounts: ReadonlyMap<string, Readonly<NodeCounts>>
  /** Reads the wallets' public keys, where published, and creates the gates that they allow. */
  load(): Promise<void>
  /** Creates the gates and keeps checking them. */
  open(closers: Closers): Promise<void>
}

export function assembleGates(options: {
  store: Store
  assets: AssetRegistry
  prover: Prover | null
  reports: Reports
  now: () => Date
  random: (size: number) => Buffer
  /** The gates on real nodes; the other networks of the test environment are simulated. */
  configured: readonly GateConfig[]
  transaction: App['transaction']
  closers: Closers
  /** How many blocks below the chain's tip are remembered when following begins. */
  maxDepth: number
  /** Derives deposit addresses in a process of its own; null: this process derives them itself. */
  deriver: AskedDeriver | null
  log: Log
}): Gates {
  const { store, assets, random, log, prover } = options
  const statuses = new Map<string, GateStatus>()
  const loaded = new Set<Environment>()
  let runsService = false
  /** Whether the service has started. From then on, a problem with one gate affects only that gate. */
  let isOpen = false
  let gates: readonly Gate[] = []
  let nodes: readonly NodeGate[] = []
  /** Gates whose chain only their node can name, and whose node has not answered yet. */
  const unclaimed = new Set<Gate>()
  const naming = new Set<Gate>()
  /** Environments whose public keys were refused and reported. */
  const refused = new Set<Environment>()
  let addressesCheckedAt = Number.NEGATIVE_INFINITY
  const nodeCounts = new Map<string, NodeCounts>()

  async function load(): Promise<void> {
    for (const environment of environments) {
      if (loaded.has(environment) || !wanted(environment)) continue
      const published = await store.walletKeys.read(environment)
      if (published === null || !isProved(environment, published)) continue
      const made = networksIn(assets).flatMap((network) => gateOf(network, environment, published.keys))
      for (const gate of made) unclaimed.add(gate)
      await claimChains()
      // A simulated chain answers at once; a node may not, and its follower begins when it does.
      for (const gate of made)
        if (gate.simulated !== null) await beginFollowing(store, gate, options.maxDepth)
      loaded.add(environment)
      gates = [...gates, ...made]
    }
  }

  /** A gate derives deposit addresses from its public key, so the key must come from the signer. */
  function isProved(environment: Environment, published: PublishedWallet): boolean {
    const networks = unprovedKeys(prover, environment, published)
    if (networks.length === 0) return true
    // After an upgrade they have no proof until the signer has started; a wrong one is another matter.
    const level = networks.some((network) => published.proofs[network] != null) ? 'fatal' : 'warn'
    if (!refused.has(environment)) log[level]({ environment, networks }, keysRefused)
    refused.add(environment)
    return false
  }

  async function claimChains(): Promise<void> {
    const named = [...unclaimed].filter(({ chain }) => chain !== null)
    if (named.length === 0) return
    const followed = await store.followedChains.names()
    for (const gate of named) {
      const known = followed.get(gate.id)
      if (gate.chain !== null && known !== undefined && known !== gate.chain)
        await claimChain(options.transaction, gate, gate.chain, runsService).catch((error: unknown) => {
          if (!isOpen || !(error instanceof SettingsError)) throw error
          // The other gates go on. This gate's follower finds the same problem and halts it.
          log.fatal(
            { gate: gate.id, reason: error.message },
            'THE GATE IS HALTED: its node is on another chain',
          )
        })
      unclaimed.delete(gate)
    }
  }

  /** Asks nodes to name their chains: if another process follows the chains, nothing else in this process asks them. */
  function nameChains(): void {
    for (const gate of unclaimed) {
      if (gate.chain !== null || naming.has(gate)) continue
      naming.add(gate)
      // The follower reports why a node does not answer.
      void gate
        .tip()
        .catch(() => {})
        .then(() => setTimeout(() => naming.delete(gate), nameEveryMs).unref())
    }
  }

  function wanted(environment: Environment): boolean {
    return environment === 'test' || options.configured.some((config) => config.environment === environment)
  }

  function gateOf(network: Network, environment: Environment, keys: WalletKeys): Gate[] {
    const config = options.configured.find(
      (each) => each.network === network.id && each.environment === environment,
    )
    if (config !== undefined) {
      const counts = noCounts()
      nodeCounts.set(config.id, counts)
      const node = openNodeGate(config, network, keys, assets, options.closers, counts, log)
      nodes = [...nodes, node]
      return [node]
    }
    if (environment === 'live') return []
    return [
      simulatedGate({
        network,
        assets: testAssets(assets, network),
        family: testFamily(network, keys, assets),
        chain: simulatedChainOf(store.simulatedChains, `${network.id}-test`),
        reader: testReader(network, assets),
        makeTransaction: transactionMaker(network, random),
      }),
    ]
  }

  async function check(): Promise<void> {
    await load()
    nameChains()
    await claimChains()
    if (performance.now() - addressesCheckedAt > checkAddressesEveryMs) {
      addressesCheckedAt = performance.now()
      await checkNewest(
        { store, proofs },
        keychains().map(({ id }) => id),
      )
    }
    await checkGates({ store, gates, statuses, proofs })
  }

  const keychains = () => keychainsOf(gates, options.deriver, random)
  const filler = randomUUID()
  const keychainAt = (id: string) => keychains().find((each) => each.id === id)
  const proofs = createAddressProofs({
    prover,
    derive: (id, position) => keychainAt(id)?.depositAddress(position) ?? null,
    now: options.now,
    onRefused: options.reports.addressRefused,
  })
  return {
    proofs,
    book: createGateBook(statuses, () => gates),
    keychains,
    nodeCounts,
    load,
    addresses: createAddressBook({
      claim: async (keychain, count) => {
        const claimed = await store.depositAddresses.claim(keychain, count)
        return claimed.filter((address) => proofs.isOurs({ keychain, ...address }))
      },
      derive: async (id, tries) => {
        const keychain = keychainAt(id)
        return keychain !== undefined && (await topUpPool({ store, proofs }, keychain, { filler, tries }))
      },
      now: () => performance.now(),
      onRestockFailed: (error) => log.warn({ err: error }, 'cannot claim deposit addresses'),
    }),
    async open(closers) {
      runsService = true
      await load()
      await checkNodes(nodes, log)
      await claimChains()
      const waiting = options.configured.filter(({ environment }) => !loaded.has(environment))
      await checkChains(assets, waiting, log)
      for (const { id, environment } of waiting)
        log.warn({ gate: id }, `the gate waits for the ${environment} wallet: npx sluice wallet init`)
      isOpen = true
      await check()
      const loop = startLoop({
        everyMs: checkEveryMs,
        step: check,
        onError: (error) => log.warn({ err: error }, 'cannot check gates'),
      })
      closers.add(() => loop.stop())
    },
  }
}

/**
 * Puts a few addresses into every pool, so that the first requests after a first start find some. Nothing is served yet, so
 * this process derives them itself.
 */
export async function fillFirst(
  app: Pick<App, 'store' | 'proofs'>,
  keychains: readonly Keychain[],
): Promise<void> {
  const here = keychains.map(({ id, depositAddress }) => ({ id, depositAddress }))
  await fillPool(app, here, { low: 1, full: 5 })
}

const keysRefused =
  'NO GATE IS OPEN IN THIS ENVIRONMENT: its public keys in the database have no valid proof from the signer. After an upgrade, ' +
  'start the signer. If it runs, either its SLUICE_SECRET_KEY differs from the one here, or the keys were changed: read the ' +
  'signer’s log'

/**
 * Makes sure that this database may follow the gate's chain. Once anything has come of a gate id's chain, that id keeps
 * the chain for good: money of one chain does not exist on another. Only a service may replace an unused chain: a
 * command run with other settings must not take a running service's chain away.
 */
async function claimChain(
  transaction: App['transaction'],
  { id }: Gate,
  chain: string,
  runsService: boolean,
): Promise<void> {
  await transaction(async (tx) => {
    const followed = await tx.followedChains.find(id)
    if (followed === null || followed.chain === chain) return
    if (!runsService)
      throw new SettingsError(
        `${id} is ${followed.chain} in this database, but ${chain} in these settings. Use the settings that the service runs ` +
          'with. After a change of gates in SLUICE_CONFIG, start the service first.',
      )
    if (await tx.followedChains.forgetUnused(id)) return
    throw new SettingsError(
      `${id} is ${followed.chain} in this database, and addresses were handed out or money moved on it, so it cannot ` +
        `become ${chain}. Use another database, or restore the former gates in SLUICE_CONFIG.`,
    )
  })
}

function keychainsOf(
  gates: readonly Gate[],
  deriver: AskedDeriver | null,
  random: (size: number) => Buffer,
): Keychain[] {
  const byId = new Map<string, Keychain>()
  for (const gate of gates) {
    if (byId.has(gate.keychain)) continue
    const keychain = { id: gate.keychain, depositAddress: (index: number) => gate.depositAddress(index) }
    const source = gate.depositSource
    if (deriver === null || source === undefined) {
      byId.set(keychain.id, keychain)
      continue
    }
    const theirs = {
      ask: (from: number, count: number) => deriver.ask(source, from, count),
      distrust: deriver.distrust,
    }
    const deriveMany = (from: number, count: number) =>
      deriveElsewhere(theirs, { ...keychain, random }, from, count)
    byId.set(keychain.id, { ...keychain, deriveMany })
  }
  return [...byId.values()]
}
