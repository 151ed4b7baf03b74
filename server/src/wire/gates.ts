import { type AddressBook, createAddressBook } from '../app/addresses/address-book.ts'
import { fillPool, type Keychain, topUpPool } from '../app/addresses/fill-pool.ts'
import { beginFollowing } from '../app/chain/begin-following.ts'
import { checkGates } from '../app/gates/check-gates.ts'
import { createGateBook, type GateBook, type GateStatus } from '../app/gates/gate-book.ts'
import type { AssetRegistry } from '../domain/assets.ts'
import { keychainOf, type Network } from '../domain/networks.ts'
import { testPublicKeys } from '../gates/families.ts'
import type { Gate } from '../gates/gate.ts'
import { simulatedGate } from '../gates/simulated/gate.ts'
import { testAssets } from '../gates/simulated/test-assets.ts'
import { testFamily } from '../gates/simulated/test-families.ts'
import { testReader } from '../gates/simulated/test-readers.ts'
import { makeTransactionHash } from '../gates/simulated/transaction-hash.ts'
import type { Log } from '../log.ts'
import { simulatedChainOf } from '../store/simulated-chains.ts'
import type { Store } from '../store/store.ts'
import { startLoop } from '../worker/loop.ts'
import type { Closers } from './closers.ts'

const checkEveryMs = 1_000

/** The gates of this process. They come into being when the wallet's public keys are known. */
export type Gates = {
  readonly book: GateBook
  readonly addresses: AddressBook
  readonly keychains: () => readonly Keychain[]
  /** Reads the wallet's public keys, if they are there, and makes what gates they allow. */
  load(): Promise<void>
  /** Makes the gates and keeps an eye on them. */
  open(closers: Closers): Promise<void>
}

export function assembleGates(options: {
  store: Store
  assets: AssetRegistry
  random: (size: number) => Buffer
  /** How many blocks below a chain's end are remembered when following begins. */
  maxDepth: number
  log: Log
}): Gates {
  const { store, assets, random, log } = options
  const statuses = new Map<string, GateStatus>()
  let gates: readonly Gate[] = []

  async function load(): Promise<void> {
    if (gates.length > 0) return
    const published = await store.walletKeys.read('test')
    if (published === null) return
    const keys = testPublicKeys(published.keys)
    gates = networksOf(assets).map((network) =>
      simulatedGate({
        network,
        assets: testAssets(assets, network),
        family: testFamily(network, keys, assets),
        chain: simulatedChainOf(store.simulatedChains, `${network.id}-test`),
        reader: testReader(network, assets),
        makeTransactionHash: () => makeTransactionHash(network.family, random),
      }),
    )
    for (const gate of gates) await beginFollowing(store, gate, options.maxDepth)
  }

  async function check(): Promise<void> {
    await load()
    await checkGates({ store, gates, statuses })
  }

  const keychains = () => keychainsOf(gates)
  return {
    book: createGateBook(statuses, () => gates),
    keychains,
    load,
    addresses: createAddressBook({
      claim: (keychain, count) => store.depositAddresses.claim(keychain, count),
      derive: async (id) => {
        const keychain = keychains().find((each) => each.id === id)
        return keychain !== undefined && (await topUpPool({ store }, keychain))
      },
      now: () => performance.now(),
      onRestockFailed: (error) => log.warn({ err: error }, 'deposit addresses could not be claimed'),
    }),
    async open(closers) {
      await check()
      const loop = startLoop({
        everyMs: checkEveryMs,
        step: check,
        onError: (error) => log.warn({ err: error }, 'gates could not be checked'),
      })
      closers.add(() => loop.stop())
    },
  }
}

/** Fills every pool a little, so that the first requests after a first start find addresses. */
export async function fillFirst(store: Store, keychains: readonly Keychain[]): Promise<void> {
  await fillPool({ store }, keychains, { low: 1, full: 5 })
}

function networksOf(assets: AssetRegistry): Network[] {
  const all = assets.flatMap((currency) => currency.assets.map(({ network }) => network))
  return [...new Map(all.map((network) => [network.id, network])).values()]
}

function keychainsOf(gates: readonly Gate[]): Keychain[] {
  const byId = new Map<string, Keychain>()
  for (const gate of gates) {
    const id = keychainOf(gate.network, gate.environment)
    if (!byId.has(id)) byId.set(id, { id, depositAddress: (index) => gate.depositAddress(index) })
  }
  return [...byId.values()]
}
