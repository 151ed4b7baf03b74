import { sha256 } from '@noble/hashes/sha2.js'
import { base58, utf8 } from '@scure/base'
import { type Address, address, isOffCurveAddress } from '@solana/addresses'
import type { TokenProgram } from '../../domain/solana-transaction.ts'
import { decodePublicKey } from './address.ts'

export const systemProgram = address('11111111111111111111111111111111')
export const associatedTokenProgram = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
export const tokenPrograms: Readonly<Record<TokenProgram, Address>> = {
  token: address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
  'token-2022': address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
}

const derivedMark = utf8.decode('ProgramDerivedAddress')
const highestBump = 255

/** The address of an owner's associated token account: where an owner's tokens of this mint are kept by default. */
export function associatedTokenAccount(owner: string, program: TokenProgram, mint: string): Address {
  const seeds = [owner, tokenPrograms[program], mint].map(bytesOf)
  return programAddress(seeds, associatedTokenProgram)
}

// The network's own search: the first that is not on the curve, so that no key exists for it.
function programAddress(seeds: readonly Uint8Array[], program: Address): Address {
  const programBytes = bytesOf(program)
  for (let bump = highestBump; bump >= 0; bump--) {
    const found = hashed([...seeds, Uint8Array.of(bump), programBytes, derivedMark])
    if (isOffCurveAddress(found)) return found
  }
  throw new Error('No derived address was found, which happens once in 2^256 times.')
}

/** The seed of a nonce account. Part of its address, so it must never change. */
export function nonceSeed(index: number): string {
  return `sluice nonce ${index}`
}

/**
 * The address of the hot wallet's nonce account with this index. It follows from the hot wallet's address alone, so the
 * account needs no key of its own, and everyone can tell which nonce accounts are ours.
 */
export function nonceAccount(hotAddress: string, index: number): Address {
  return hashed([bytesOf(hotAddress), utf8.decode(nonceSeed(index)), bytesOf(systemProgram)])
}

function hashed(parts: readonly Uint8Array[]): Address {
  return address(base58.encode(sha256(Uint8Array.from(parts.flatMap((part) => [...part])))))
}

function bytesOf(given: string): Uint8Array {
  const bytes = decodePublicKey(given)
  if (bytes === null) throw new Error(`"${given}" is not an address.`)
  return bytes
}
