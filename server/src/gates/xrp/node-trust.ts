import type { Asset } from '../../domain/assets.ts'
import type { TransferSimulation } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { isRepresentable, shownAtoms, toAtoms } from './issued-amount.ts'
import { type IssuedCurrency, readContract } from './issued-currency.ts'
import {
  accountFlags,
  askAccount,
  askReserves,
  type NodeAccount,
  receiverFault,
  usualSimulation,
} from './node-accounts.ts'
import { readNumber, readObject } from './node-answers.ts'
import { askUnless } from './node-rpc.ts'
import { readLine } from './trust-lines.ts'

/** A trust line from the side of an account that holds what the other side issues. Amounts are in atoms. */
type HeldLine = {
  readonly balance: bigint
  readonly limit: bigint
  readonly isFrozenByIssuer: boolean
  readonly isFrozenByHolder: boolean
  readonly isDeepFrozen: boolean
  readonly isAuthorised: boolean
  /** Whether the issuer lets nothing pass through it to others with the same setting. */
  readonly isBarred: boolean
}

// https://xrpl.org/docs/references/protocol/ledger-data/ledger-entry-types/ripplestate#ripplestate-flags, by side
const sides = {
  low: { authorised: 0x00040000, noRipple: 0x00100000, freeze: 0x00400000, deepFreeze: 0x02000000 },
  high: { authorised: 0x00080000, noRipple: 0x00200000, freeze: 0x00800000, deepFreeze: 0x04000000 },
} as const

/** What an account and an issuer owe each other, by the newest validated ledger; null where there is no trust line. */
async function askLine(
  rpc: NodeRpc,
  holder: string,
  { currency, issuer }: IssuedCurrency,
): Promise<HeldLine | null> {
  const answer = await askUnless(rpc, ['entryNotFound'], 'ledger_entry', {
    ripple_state: { accounts: [holder, issuer], currency },
    ledger_index: 'validated',
  })
  if (answer === null) return null
  const { node, validated } = readObject(answer, 'it shows no trust line')
  if (validated !== true) unbelievable('it shows a trust line in a ledger that is not validated')
  const fields = readObject(node, 'it shows no trust line')
  const line = readLine(fields)
  const isLow = line.low === holder && line.high === issuer
  if ((!isLow && (line.high !== holder || line.low !== issuer)) || line.currency !== currency)
    unbelievable('it shows another trust line')
  const flags = readNumber(fields.Flags ?? 0, 'flags')
  const [own, theirs] = isLow ? [sides.low, sides.high] : [sides.high, sides.low]
  return {
    balance: isLow ? line.balance : -line.balance,
    limit: isLow ? line.lowLimit : line.highLimit,
    isFrozenByIssuer: (flags & theirs.freeze) !== 0,
    isFrozenByHolder: (flags & own.freeze) !== 0,
    isDeepFrozen: (flags & (own.deepFreeze | theirs.deepFreeze)) !== 0,
    isAuthorised: (flags & theirs.authorised) !== 0,
    isBarred: (flags & theirs.noRipple) !== 0,
  }
}

/** Whether an account trusts the issuer of an asset at all, as it must before anyone can pay it. */
export async function nodeCanHold(rpc: NodeRpc, account: string, asset: Asset): Promise<boolean> {
  const issued = issuedOf(asset)
  if (issued === null) return true
  const line = await askLine(rpc, account, issued)
  return line !== null && line.limit > 0n
}

/** Why the ledger would refuse our trust line; or that it costs what a transaction always costs. */
export async function trustSimulation(rpc: NodeRpc, from: string, to: string): Promise<TransferSimulation> {
  const [reserves, account, issuer] = await Promise.all([
    askReserves(rpc),
    askAccount(rpc, from),
    askAccount(rpc, to),
  ])
  if (issuer === null) return { refused: `the issuer ${to} does not exist` }
  if ((issuer.flags & accountFlags.refusesTrustLines) !== 0)
    return { refused: `the issuer ${to} accepts no trust lines` }
  const kept = reserves.base + reserves.each * BigInt((account?.owned ?? 0) + 1)
  return account === null || account.balance < kept
    ? { refused: `our account must hold ${kept} drops for the reserve of the ledger and of the trust line` }
    : usualSimulation
}

/** Why the ledger would refuse a payment in an issued currency, by the newest validated ledger; or what it costs. */
export async function issuedSimulation(
  rpc: NodeRpc,
  payment: { from: string; to: string; tag: string | null; units: bigint },
  asset: Asset,
): Promise<TransferSimulation> {
  const { from, to, tag, units } = payment
  const issued = issuedOf(asset)
  if (issued === null) throw new Error('XRP has no issuer.')
  const atoms = toAtoms(units, asset.decimals)
  if (!isRepresentable(atoms)) return { refused: 'the amount has more digits than the ledger keeps' }
  const [issuer, receiver, own, line] = await Promise.all([
    askAccount(rpc, issued.issuer),
    askAccount(rpc, to),
    askLine(rpc, from, issued),
    askLine(rpc, to, issued),
  ])
  const refused =
    issuerFault(issuer, issued) ??
    ownFault(own, atoms) ??
    receiverFault(receiver, to, tag) ??
    lineFault(line, to, atoms) ??
    betweenFault(issuer, receiver, own, line, to)
  return refused === null ? usualSimulation : { refused }
}

function issuedOf({ contractAddress }: Asset): IssuedCurrency | null {
  return contractAddress === null ? null : readContract(contractAddress)
}

function issuerFault(issuer: NodeAccount | null, issued: IssuedCurrency): string | null {
  if (issuer === null) return `the issuer ${issued.issuer} does not exist`
  if ((issuer.flags & accountFlags.globalFreeze) !== 0)
    return `the issuer ${issued.issuer} has frozen all of its currencies`
  // Our payment could not take more from us than it delivers, so the ledger would execute it without effect.
  return issuer.hasTransferFee
    ? `the issuer ${issued.issuer} charges a fee for transfers, which Sluice does not pay`
    : null
}

function ownFault(own: HeldLine | null, atoms: bigint): string | null {
  if (own === null || own.balance < atoms)
    return `our account holds only ${shownAtoms(own?.balance ?? 0n)} of it on the ledger`
  return own.isFrozenByIssuer || own.isDeepFrozen ? 'our trust line is frozen' : null
}

function lineFault(line: HeldLine | null, to: string, atoms: bigint): string | null {
  if (line === null) return `${to} has no trust line for this currency of this issuer`
  if (line.isDeepFrozen || line.isFrozenByHolder) return `the trust line of ${to} is frozen`
  return line.balance + atoms > line.limit
    ? `${to} trusts the issuer for ${shownAtoms(line.limit)} only, and has ${shownAtoms(line.balance)}`
    : null
}

function betweenFault(
  issuer: NodeAccount | null,
  receiver: NodeAccount | null,
  own: HeldLine | null,
  line: HeldLine | null,
  to: string,
): string | null {
  if (((issuer?.flags ?? 0) & accountFlags.requireAuth) !== 0) {
    if (own?.isAuthorised !== true) return 'the issuer has not authorised our account'
    if (line?.isAuthorised !== true) return `the issuer has not authorised ${to}`
  }
  if (((receiver?.flags ?? 0) & accountFlags.globalFreeze) !== 0) return `${to} has frozen its trust lines`
  return own?.isBarred && line?.isBarred
    ? 'the issuer lets nothing pass from one holder to another (NoRipple)'
    : null
}
