import { createHash } from 'node:crypto'
import { encode } from 'ripple-binary-codec'
import type { Json } from './xrp-ledger.ts'

/**
 * The rules of the XRP Ledger for currencies that accounts issue: trust lines with limits, freezes, authorisation, NoRipple, the
 * issuer's fee, and partial payments. https://xrpl.org/docs/concepts/tokens/fungible-tokens
 */

type Side = 'low' | 'high'
type Line = {
  readonly currency: string
  readonly low: string
  readonly high: string
  /** From the side of `low`. */
  balance: bigint
  readonly limit: Record<Side, bigint>
  flags: number
}
export type Lines = ReadonlyMap<string, Line>
/** What the rules need to know of an account. */
type Holder = { readonly flags: number; readonly transferRate?: number }
type AccountAt = (address: string) => Holder | undefined

const sideBits = {
  low: { auth: 0x00040000, noRipple: 0x00100000, freeze: 0x00400000, deepFreeze: 0x02000000 },
  high: { auth: 0x00080000, noRipple: 0x00200000, freeze: 0x00800000, deepFreeze: 0x04000000 },
}
/** Flags of a TrustSet. */
export const trustFlags = {
  auth: 0x00010000,
  noRipple: 0x00020000,
  freeze: 0x00100000,
  deepFreeze: 0x00400000,
}
export const issuerBits = { requireAuth: 0x00040000, globalFreeze: 0x00400000, defaultRipple: 0x00800000 }
const partialPayment = 0x00020000
const decimals = 15
const neutral = 'rrrrrrrrrrrrrrrrrrrrBZbvji'
const rateOfOne = 1_000_000_000n

const idOf = (address: string) => encode({ Account: address } as Json).slice(4)
const other = (side: Side): Side => (side === 'low' ? 'high' : 'low')

export function amountOf(value: string): bigint {
  const [, sign, integer = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value) ?? []
  const amount = BigInt(integer + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return sign === '-' ? -amount : amount
}

export function valueText(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, '0')
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
  return amount < 0n ? `-${text}` : text
}

export function xrpLines(accountAt: AccountAt) {
  const lines = new Map<string, Line>()

  function place(one: string, two: string, currency: string) {
    const [low, high] = idOf(one) < idOf(two) ? [one, two] : [two, one]
    return { key: `${low} ${high} ${currency}`, low, high, side: (low === one ? 'low' : 'high') as Side }
  }

  const lineOf = (holder: string, issuer: string, currency: string) => {
    const { key, side } = place(holder, issuer, currency)
    const line = lines.get(key)
    if (line === undefined) return null
    const has = (at: Side, bit: keyof typeof sideBits.low) => (line.flags & sideBits[at][bit]) !== 0
    return { line, side, has, held: side === 'low' ? line.balance : -line.balance, limit: line.limit[side] }
  }

  function move(holder: string, issuer: string, currency: string, amount: bigint): void {
    const found = lineOf(holder, issuer, currency)
    if (found === null) throw new Error('There is no such line.')
    found.line.balance += found.side === 'low' ? amount : -amount
  }

  /** Why nothing of an issuer's can pass from a holder or to one; null when it can. */
  function fault(issuer: string, currency: string, holder: string, leaves: boolean): string | null {
    const found = lineOf(holder, issuer, currency)
    if (found === null) return 'tecPATH_DRY'
    const { has, side } = found
    const flags = accountAt(issuer)?.flags ?? 0
    if (((accountAt(leaves ? issuer : holder)?.flags ?? 0) & issuerBits.globalFreeze) !== 0)
      return 'tecPATH_DRY'
    if (has(leaves ? other(side) : side, 'freeze')) return 'tecPATH_DRY'
    if (has('low', 'deepFreeze') || has('high', 'deepFreeze')) return 'tecPATH_DRY'
    if ((flags & issuerBits.requireAuth) !== 0 && !has(other(side), 'auth')) return 'tecPATH_DRY'
    return null
  }

  const noRippleFor = (issuer: string, currency: string, holder: string) => {
    const found = lineOf(holder, issuer, currency)
    return found?.has(other(found.side), 'noRipple') === true
  }

  return {
    lines: lines as Lines,
    copy: (): Lines => new Map([...lines].map(([key, line]) => [key, { ...line, limit: { ...line.limit } }])),
    keyOf: (one: string, two: string, currency: string) => place(one, two, currency).key,
    held: (holder: string, issuer: string, currency: string) => lineOf(holder, issuer, currency)?.held ?? 0n,

    /** Makes a trust line or changes it. `canOwnOneMore`: whether the account can hold the reserve for it. */
    trust(tx: Json, canOwnOneMore: boolean): { readonly result: string; readonly isNew: boolean } {
      const { currency, issuer, value } = tx.LimitAmount
      if (accountAt(issuer) === undefined) return { result: 'tecNO_DST', isNew: false }
      const { key, low, high, side } = place(tx.Account, issuer, currency)
      let line = lines.get(key)
      const isNew = line === undefined
      if (isNew && !canOwnOneMore) return { result: 'tecNO_LINE_INSUF_RESERVE', isNew: false }
      if (line === undefined) {
        line = { currency, low, high, balance: 0n, limit: { low: 0n, high: 0n }, flags: 0 }
        const isDefault = ((accountAt(issuer)?.flags ?? 0) & issuerBits.defaultRipple) !== 0
        if (!isDefault) line.flags |= sideBits[other(side)].noRipple
        lines.set(key, line)
      }
      line.limit[side] = amountOf(value)
      for (const [name, bit] of Object.entries(trustFlags))
        if (((tx.Flags ?? 0) & bit) !== 0) line.flags |= sideBits[side][name as keyof typeof trustFlags]
      return { result: 'tesSUCCESS', isNew }
    },

    /** Pays in an issued currency, through its issuer where neither side is that. */
    pay(tx: Json): { readonly result: string; readonly delivered: bigint } {
      const { Account: from, Destination: to, Amount, SendMax, Flags = 0 } = tx
      const { currency, issuer } = Amount
      const wanted = amountOf(Amount.value)
      const none = (result: string) => ({ result, delivered: 0n })
      const between = from !== issuer && to !== issuer
      const rate = between ? BigInt(accountAt(issuer)?.transferRate ?? 0) || rateOfOne : rateOfOne
      let most = wanted
      if (from !== issuer) {
        const wrong = fault(issuer, currency, from, true)
        if (wrong !== null) return none(wrong)
        const held = lineOf(from, issuer, currency)?.held ?? 0n
        const allowed = SendMax === undefined ? wanted : amountOf(SendMax.value)
        const spendable = held < allowed ? held : allowed
        const arrives = (spendable * rateOfOne) / rate
        if (arrives < most) most = arrives
      }
      if (to !== issuer) {
        const wrong = fault(issuer, currency, to, false)
        if (wrong !== null) return none(wrong)
        const found = lineOf(to, issuer, currency)
        const room = (found?.limit ?? 0n) - (found?.held ?? 0n)
        if (room < most) most = room
      }
      if (between && noRippleFor(issuer, currency, from) && noRippleFor(issuer, currency, to))
        return none('tecPATH_DRY')
      if (most <= 0n) return none('tecPATH_DRY')
      if (most < wanted && (Flags & partialPayment) === 0) return none('tecPATH_PARTIAL')
      if (from !== issuer) move(from, issuer, currency, -((most * rate) / rateOfOne))
      if (to !== issuer) move(to, issuer, currency, most)
      return { result: 'tesSUCCESS', delivered: most }
    },
  }
}

/** The fields of a trust line, as servers show it. */
export function lineFields({ currency, low, high, balance, limit, flags }: Line): Json {
  return {
    Balance: { currency, issuer: neutral, value: valueText(balance) },
    Flags: flags,
    HighLimit: { currency, issuer: high, value: valueText(limit.high) },
    LowLimit: { currency, issuer: low, value: valueText(limit.low) },
  }
}

/** What a transaction has changed of trust lines, as metadata says it. */
export function changedLines(before: Lines, now: Lines): Json[] {
  return [...now].flatMap(([key, line]): Json[] => {
    const LedgerIndex = createHash('sha256').update(key).digest('hex').toUpperCase()
    const entry = { LedgerEntryType: 'RippleState', LedgerIndex }
    const final = lineFields(line)
    const old = before.get(key)
    if (old === undefined) return [{ CreatedNode: { ...entry, NewFields: final } }]
    const was: Json = lineFields(old)
    const changed = Object.entries(was).filter(
      ([name, value]) => JSON.stringify(final[name]) !== JSON.stringify(value),
    )
    if (changed.length === 0) return []
    return [{ ModifiedNode: { ...entry, FinalFields: final, PreviousFields: Object.fromEntries(changed) } }]
  })
}
