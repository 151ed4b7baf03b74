import { type Address, isOffCurveAddress } from '@solana/addresses'
import type { DestinationRefusal } from '../family.ts'
import { decodePublicKey, hasPrivateKey } from './address.ts'
import { isProgram } from './programs.ts'

/**
 * What an address can be, from the address alone. A `wallet` may still turn out to be a token account or a mint that we do
 * not know: only a node can say so. `off_curve` has no key of its own: a program signs for it, as for a multisig wallet or
 * an associated token account, and funds sent there are lost unless that program gives them back. `invalid` is what no one
 * can ever sign for, too: points of the curve that no key generates.
 */
export type DestinationKind = 'wallet' | 'off_curve' | 'mint' | 'program' | 'own' | 'invalid'

/** The kind of an address. `mints` and `own` are the mints that we know and our own addresses. */
export function solanaDestinationKind(
  address: string,
  { mints, own }: { readonly mints: ReadonlySet<string>; readonly own: ReadonlySet<string> },
): DestinationKind {
  const key = decodePublicKey(address)
  if (key === null) return 'invalid'
  if (isProgram(address)) return 'program'
  if (mints.has(address)) return 'mint'
  if (own.has(address)) return 'own'
  if (isOffCurveAddress(address as Address)) return 'off_curve'
  return hasPrivateKey(key) ? 'wallet' : 'invalid'
}

/** Why an address of this kind is refused; null where it is not, or is no address at all. */
export function solanaRefusal(kind: DestinationKind): DestinationRefusal | null {
  switch (kind) {
    case 'off_curve':
      return {
        words:
          'is controlled by a program and has no private key, like the vault of a multisig wallet, but also like a token account. ' +
          'If it is a wallet, allow it with allow_program_address; if it is a token account, use the address of its owner',
        needsConsent: true,
      }
    case 'mint':
      return {
        words:
          'is the mint of a token, and what is sent there is lost. Use the address of the recipient’s wallet',
        needsConsent: false,
      }
    case 'program':
      return {
        words: 'is a program, and what is sent there is lost. Use the address of the recipient’s wallet',
        needsConsent: false,
      }
    case 'own':
      return { words: 'is an account of this service', needsConsent: false }
    case 'wallet':
    case 'invalid':
      return null
  }
}
