import { isSameProof, type PlacedAddress, type Prover } from '../../domain/address-proofs.ts'
import type { Place } from '../../store/addresses/deposit-addresses.ts'

const maxReported = 1_000
// A page of invoices is asked for again and again.
const maxRemembered = 5_000
// BIP-32: the last child that is not hardened.
const lastPosition = 2 ** 31 - 1

/** A deposit address as the database has it, with the proof that is stored beside it. */
export type StoredAddress = PlacedAddress & { readonly proof: string | null }

/**
 * `foreign`: at this position our keychain has another address. `unproved`: only the signer can derive it, and it has no valid
 * proof.
 */
export type AddressVerdict = 'ours' | 'foreign' | 'unproved'

/** A keychain for which the database holds an address that is not ours. */
export type AddressAlarm = { readonly reason: string; readonly since: Date }

/** Tells deposit addresses that this service derived from any others that the database may hold. */
export type AddressProofs = {
  /** The proof to store beside an address that this process has derived; null without a secret key. */
  prove(address: PlacedAddress): string | null
  judge(address: StoredAddress): AddressVerdict
  /** Whether an address may be handed out, shown and credited. A foreign one raises the alarm of its keychain. */
  isOurs(address: StoredAddress): boolean
  /** The alarm of a keychain, which stands until this process ends. */
  alarm(keychain: string): AddressAlarm | null
}

/**
 * A valid proof is enough. Without one, an address that this process can derive itself is compared with that: it was stored
 * before there were proofs, or the secret key was changed since. Without a secret key nothing can be told, and every address
 * is accepted; the live environment requires a key.
 */
export function createAddressProofs(options: {
  readonly prover: Prover | null
  /** The address at a position, from public keys that were proved; null where this process cannot derive it. */
  readonly derive: (keychain: string, position: number) => Place | null
  readonly now: () => Date
  /** Called once for each address that is refused. */
  readonly onRefused: (address: StoredAddress, verdict: Exclude<AddressVerdict, 'ours'>) => void
}): AddressProofs {
  const { prover } = options
  const alarms = new Map<string, AddressAlarm>()
  const reported = new Set<string>()
  // By its proof, the address that was found to be proved by it. Whether it is depends on nothing else.
  const proved = new Map<string, PlacedAddress>()

  function isProved(address: StoredAddress, known: Prover): boolean {
    const { proof } = address
    if (proof === null) return false
    const before = proved.get(proof)
    if (before !== undefined && isSameAddress(before, address)) return true
    if (!isSameProof(proof, known.ofAddress(address))) return false
    const [oldest] = proved.size < maxRemembered ? [] : proved.keys()
    if (oldest !== undefined) proved.delete(oldest)
    const { keychain, position, address: text, tag } = address
    proved.set(proof, { keychain, position, address: text, tag })
    return true
  }

  function judge(address: StoredAddress): AddressVerdict {
    if (prover === null || isProved(address, prover)) return 'ours'
    // No keychain reaches further, and deriving would fail.
    if (address.position < 0 || address.position > lastPosition) return 'foreign'
    const ours = options.derive(address.keychain, Number(address.position))
    if (ours === null) return 'unproved'
    return ours.address === address.address && ours.tag === address.tag ? 'ours' : 'foreign'
  }

  function report(address: StoredAddress, verdict: Exclude<AddressVerdict, 'ours'>): void {
    const name = JSON.stringify([address.keychain, address.position.toString(), address.address, address.tag])
    if (reported.has(name) || reported.size >= maxReported) return
    reported.add(name)
    options.onRefused(address, verdict)
  }

  return {
    prove: (address) => prover?.ofAddress(address) ?? null,
    judge,
    isOurs(address) {
      const verdict = judge(address)
      if (verdict === 'ours') return true
      if (verdict === 'foreign' && !alarms.has(address.keychain))
        alarms.set(address.keychain, { reason: foreignReason(address), since: options.now() })
      report(address, verdict)
      return false
    },
    alarm: (keychain) => alarms.get(keychain) ?? null,
  }
}

function isSameAddress(one: PlacedAddress, other: PlacedAddress): boolean {
  return (
    one.address === other.address &&
    one.tag === other.tag &&
    one.keychain === other.keychain &&
    BigInt(one.position) === BigInt(other.position)
  )
}

function foreignReason({ keychain, position, address }: StoredAddress): string {
  return (
    `The database has ${address} as deposit address ${position} of ${keychain}, but this wallet has another one there. It was ` +
    'put there by someone with access to the database. It is not handed out, shown or credited, and the network accepts no new ' +
    'business. Find out how it came there, and run: npx sluice audit'
  )
}
