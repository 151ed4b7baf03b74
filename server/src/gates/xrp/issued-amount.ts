import { concatBytes } from '@noble/hashes/utils.js'
import { formatDecimal } from '../../domain/money.ts'
import { decodeClassicAddress, encodeClassicAddress } from './address.ts'
import { codeFromBytes, codeToBytes, type IssuedCurrency } from './issued-currency.ts'

/**
 * An amount of an issued currency. The ledger keeps 16 significant digits and an exponent; here it is an integer of atoms, of which
 * there are 10^96 in one whole, so that everything the ledger can hold is exact.
 */
export type IssuedAmount = IssuedCurrency & { readonly atoms: bigint }

// https://xrpl.org/docs/references/protocol/binary-format#token-amount-format
const leastExponent = -96
const mostExponent = 80
const leastMantissa = 10n ** 15n
const mostMantissa = 10n ** 16n - 1n
const atomDecimals = 96
const mostAtoms = mostMantissa * 10n ** BigInt(mostExponent - leastExponent)
const isIssued = 1n << 63n
const isPositive = 1n << 62n
const exponentAt = 54n
const exponentOffset = 97n
const mantissaMask = (1n << exponentAt) - 1n
const valueBytes = 8
const codeEnd = 28
/** A value, a code and an issuer. */
export const issuedAmountBytes = 48

const valuePattern = /^(-?)(\d{1,100})(?:\.(\d{1,100}))?(?:[eE]([+-]?\d{1,3}))?$/

/** The atoms of a value as servers write it, such as `12.5` or `1e-20`; null when it is not one that the ledger can hold. */
export function readValue(text: unknown): bigint | null {
  const [found, sign, whole = '', part = '', power = '0'] =
    typeof text === 'string' ? (valuePattern.exec(text) ?? []) : []
  if (found === undefined) return null
  const digits = BigInt(whole + part)
  const exponent = Number(power) - part.length
  if (digits === 0n) return 0n
  if (exponent < leastExponent || exponent > mostExponent) return null
  const atoms = digits * 10n ** BigInt(exponent + atomDecimals)
  if (atoms > mostAtoms) return null
  return sign === '-' ? -atoms : atoms
}

/** An amount in units of an asset, exactly. */
export function toAtoms(units: bigint, decimals: number): bigint {
  return units * atomsIn(decimals)
}

/** What an asset with these decimals can count of an amount above zero. The rest, less than a unit, is credited to no one. */
export function floorToUnits(atoms: bigint, decimals: number): bigint {
  return atoms / atomsIn(decimals)
}

/** The amount in units; null when it is not a whole number of them. */
export function exactUnits(atoms: bigint, decimals: number): bigint | null {
  return atoms % atomsIn(decimals) === 0n ? floorToUnits(atoms, decimals) : null
}

/** An amount for people. */
export function shownAtoms(atoms: bigint): string {
  const digits = formatDecimal(atoms < 0n ? -atoms : atoms, atomDecimals)
  return `${atoms < 0n ? '-' : ''}${digits}`
}

function atomsIn(decimals: number): bigint {
  return 10n ** BigInt(atomDecimals - decimals)
}

/** Whether the ledger can hold exactly this amount, which is not below zero. */
export function isRepresentable(atoms: bigint): boolean {
  return normalised(atoms) !== null
}

/** The bytes of an amount that is not below zero. Throws a `RangeError` for one that the ledger cannot hold exactly. */
export function issuedToBytes({ currency, issuer, atoms }: IssuedAmount): Uint8Array {
  const written = normalised(atoms)
  const account = decodeClassicAddress(issuer)
  if (written === null) throw new RangeError(`The ledger cannot hold ${atoms} atoms exactly.`)
  if (account === null) throw new TypeError(`${issuer} is not an address.`)
  const { mantissa, exponent } = written
  const value = new Uint8Array(valueBytes)
  const bits =
    mantissa === 0n ? 0n : isPositive | ((BigInt(exponent) + exponentOffset) << exponentAt) | mantissa
  new DataView(value.buffer).setBigUint64(0, isIssued | bits)
  return concatBytes(value, codeToBytes(currency), account)
}

/** The amount of these bytes; null when they are not one in the ledger's only form. */
export function issuedFromBytes(bytes: Uint8Array): IssuedAmount | null {
  if (bytes.length !== issuedAmountBytes) return null
  const bits = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)
  const [currency, issuer] = [bytes.subarray(valueBytes, codeEnd), bytes.subarray(codeEnd)]
  const atoms = atomsOf(bits)
  return atoms === null
    ? null
    : { currency: codeFromBytes(currency), issuer: encodeClassicAddress(issuer), atoms }
}

function atomsOf(bits: bigint): bigint | null {
  if (bits === isIssued) return 0n
  const exponent = Number(((bits & ~(isIssued | isPositive)) >> exponentAt) - exponentOffset)
  const mantissa = bits & mantissaMask
  const isNormal = mantissa >= leastMantissa && mantissa <= mostMantissa
  if ((bits & isIssued) === 0n || !isNormal || exponent < leastExponent || exponent > mostExponent)
    return null
  const atoms = mantissa * 10n ** BigInt(exponent + atomDecimals)
  return (bits & isPositive) === 0n ? -atoms : atoms
}

/** 16 digits and an exponent; null where more digits are needed, or a smaller or larger exponent. */
function normalised(atoms: bigint): { readonly mantissa: bigint; readonly exponent: number } | null {
  if (atoms === 0n) return { mantissa: 0n, exponent: 0 }
  if (atoms < leastMantissa || atoms > mostAtoms) return null
  const more = String(atoms).length - String(leastMantissa).length
  const scale = 10n ** BigInt(more)
  return atoms % scale === 0n ? { mantissa: atoms / scale, exponent: leastExponent + more } : null
}
