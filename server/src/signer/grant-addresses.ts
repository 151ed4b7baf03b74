import { firstToGive, reachedBy } from '../domain/address-grants.ts'
import type { Environment } from '../domain/environment.ts'
import { keychainOf, type Network } from '../domain/networks/network.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import { foreignKeychains } from './check-addresses.ts'
import type { Journal } from './journal.ts'
import type { Wallet } from './wallet.ts'

// Addresses that are granted but not given out are skipped after a database restart, so the first block is small. It grows
// where addresses are used up quickly.
const firstBlock = 200
const maxBlock = 16_384
const quickMs = 1_000
const slowMs = 10_000
const checkEveryMs = 60_000

type Grants = Pick<Store, 'addressGrants' | 'depositAddresses'>

/** Grants deposit addresses to the database before they are needed. */
export type AddressGranter = {
  /** Grants more where few are left: first on the signer's disk, then in the database. Returns for how many keychains. */
  grant(store: Grants, journal: Journal): Promise<number>
  /** Withdraws what was granted but not given out, so that a database that is stopped next skips nothing when it restarts. */
  withdraw(store: Grants, journal: Journal): Promise<void>
}

/**
 * Makes sure that no deposit address is given out twice, even if an older database replaces the current one. The journal is
 * always ahead of what the database may give out, and where the database may have been restored, everything below is skipped.
 * Grants none of a keychain for which the database has addresses that are not the wallet's.
 */
export function addressGranter(
  wallet: Pick<Wallet, 'environment' | 'publicKeys' | 'network' | 'depositAddress'>,
  options: {
    readonly makeStamp: () => string
    readonly log: Pick<Log, 'warn' | 'error' | 'info'>
    /** Monotonic milliseconds. */
    readonly now: () => number
  },
): AddressGranter {
  const { log, makeStamp, now } = options
  const networks = Object.keys(wallet.publicKeys).map((id) => wallet.network(id).network)
  const keychains = keychainsOf(networks, wallet.environment)
  const blocks = new Map<string, { readonly size: number; readonly atMs: number }>()
  const held = new Set<string>()
  let foreign: ReadonlyMap<string, string> = new Map()
  let checkedAtMs = Number.NEGATIVE_INFINITY

  function blockOf(keychain: string, atMs: number): number {
    const last = blocks.get(keychain)
    if (last === undefined || atMs - last.atMs > slowMs) return firstBlock
    return atMs - last.atMs < quickMs ? Math.min(last.size * 2, maxBlock) : last.size
  }

  function hold(keychain: string, reason: string): void {
    if (held.has(keychain)) return
    held.add(keychain)
    log.error({ keychain, reason }, 'NO DEPOSIT ADDRESSES ARE GIVEN')
  }

  return {
    async grant(store, journal) {
      const { addressGrants } = store
      if (now() - checkedAtMs > checkEveryMs) {
        checkedAtMs = now()
        foreign = await foreignKeychains({ store }, wallet)
      }
      const wanted = []
      for (const state of await addressGrants.states(keychains)) {
        const { keychain, grant } = state
        const notOurs = foreign.get(keychain)
        if (notOurs !== undefined) {
          hold(keychain, foreignReason(notOurs))
          continue
        }
        const noted = journal.grantOf(keychain)
        const first = firstToGive(state, noted)
        if (first === null) {
          hold(keychain, unknownReach)
          continue
        }
        if (held.delete(keychain)) log.info({ keychain }, 'deposit addresses are given out again')
        const size = blockOf(keychain, now())
        const below = grant?.isAlive ? grant.below : 0
        if (below - first >= size / 2 && noted?.stamp === grant?.stamp) continue
        blocks.set(keychain, { size, atMs: now() })
        const skipped = first - reachedBy(state)
        if (skipped > 0)
          log.warn(
            { keychain, skipped, next: first },
            'the database was restarted and may be an older one: deposit addresses that may have been given out are skipped',
          )
        wanted.push({ keychain, first, below: Math.max(below, first + size), stamp: makeStamp() })
      }
      if (wanted.length === 0) return 0
      for (const { keychain, below, stamp } of wanted)
        journal.noteGrant({ keychain, below, stamp, isClosed: false })
      await journal.save()
      await addressGrants.put(wanted)
      return wanted.length
    },

    async withdraw({ addressGrants }, journal) {
      const ours = (await addressGrants.states(keychains)).flatMap(({ keychain, grant }) => {
        const noted = journal.grantOf(keychain)
        if (!grant?.isAlive || noted === null || noted.stamp !== grant.stamp) return []
        return [{ keychain, first: grant.first, below: 0, stamp: makeStamp(), noted: noted.below }]
      })
      if (ours.length === 0) return
      for (const { keychain, stamp, noted } of ours)
        journal.noteGrant({ keychain, below: noted, stamp, isClosed: false })
      await journal.save()
      // Waits for processes that are taking addresses; afterwards none can.
      await addressGrants.put(ours)
      const withdrawn = new Set(ours.map(({ stamp }) => stamp))
      for (const state of await addressGrants.states(keychains))
        if (state.grant !== null && withdrawn.has(state.grant.stamp))
          journal.noteGrant({
            keychain: state.keychain,
            below: reachedBy(state),
            stamp: state.grant.stamp,
            isClosed: true,
          })
      await journal.save()
    },
  }
}

function foreignReason(address: string): string {
  return (
    `The database has ${address} among the newest deposit addresses, but it is not this wallet’s. Someone with access to the ` +
    'database has put it there. Find out how, and run: npx sluice audit'
  )
}

/** The keychains of a wallet's deposit addresses. */
export function keychainsOf(networks: readonly Network[], environment: Environment): string[] {
  return [...new Set(networks.map((network) => keychainOf(network, environment)))]
}

/** Why it is unknown how far addresses were given out, and what to do. */
export const unknownReach =
  'The database may be an older one, and the journal does not say how far deposit addresses were given out since, because it ' +
  'is older too, or new. Restore the newest journal if there is one. Otherwise stop the service and say how many addresses to ' +
  'skip: npx sluice wallet reconcile --skip-addresses N. Use 0 if this is the newest database; if it is a backup, use a number ' +
  'higher than the addresses given out since.'
