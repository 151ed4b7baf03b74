import { concatBytes } from '@noble/hashes/utils.js'
import { hex, utf8 } from '@scure/base'
import { decodeClassicAddress } from './address.ts'

/** A currency of the XRP Ledger other than XRP: the same code of another issuer is another currency. */
export type IssuedCurrency = {
  /** Three characters, or 20 bytes in upper-case hexadecimal: as servers show it. */
  readonly currency: string
  readonly issuer: string
}

// https://xrpl.org/docs/references/protocol/data-types/currency-formats#currency-codes
const shortPattern = /^[A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}$/
const longPattern = /^(?!00)[0-9A-F]{40}$/
const codeBytes = 20
const shortAt = 12
const shortBytes = 3
const native = 'XRP'

/** What a token of our registry names as its contract: code and issuer, as in `USD.rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B`. */
export function contractOf({ currency, issuer }: IssuedCurrency): string {
  return `${currency}.${issuer}`
}

/** The currency that a contract names; null when it names none. */
export function readContract(contract: string): IssuedCurrency | null {
  const at = contract.lastIndexOf('.')
  const [currency, issuer] = [contract.slice(0, at), contract.slice(at + 1)]
  return at > 0 && isCode(currency) && decodeClassicAddress(issuer) !== null ? { currency, issuer } : null
}

/** Whether this is the code of an issued currency, in the one form in which servers show it. */
export function isCode(code: string): boolean {
  return (shortPattern.test(code) && code !== native) || longPattern.test(code)
}

/** A code as a server shows it, in the form that we compare: some write hexadecimal in lower case. */
export function shownCode(code: unknown): string {
  const text = String(code)
  return text.length === 2 * codeBytes ? text.toUpperCase() : text
}

/** The 20 bytes of a code. Throws a `TypeError` for one that is none. */
export function codeToBytes(code: string): Uint8Array {
  if (!isCode(code)) throw new TypeError(`${code} is not the code of an issued currency.`)
  if (code.length > shortBytes) return hex.decode(code.toLowerCase())
  return concatBytes(
    new Uint8Array(shortAt),
    utf8.decode(code),
    new Uint8Array(codeBytes - shortAt - shortBytes),
  )
}

/** The code of these 20 bytes, as servers show it. */
export function codeFromBytes(bytes: Uint8Array): string {
  const text = String.fromCharCode(...bytes.subarray(shortAt, shortAt + shortBytes))
  const isShort = bytes.every((byte, at) => byte === 0 || (at >= shortAt && at < shortAt + shortBytes))
  return isShort && shortPattern.test(text) && text !== native ? text : hex.encode(bytes).toUpperCase()
}
