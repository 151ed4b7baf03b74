import { sha256 } from '@noble/hashes/sha2.js'
import { base58, utf8 } from '@scure/base'
import type { Asset } from '../../domain/assets.ts'
import { formatDecimal } from '../../domain/money.ts'
import type { DepositAddress, PaymentNote } from '../family.ts'

// Part of every reference, so it must never change. It keeps these hashes apart from all others of an invoice's id.
const referencePurpose = 'sluice payment reference 1\n'

// In a link, so percent-encoded. A link with both is a QR code of 65 modules at most, which phones still read from a screen.
const maxLabelBytes = 48
const maxMessageBytes = 40

/**
 * The reference of an invoice (Solana Pay): a key that the paying transaction names, so that `getSignaturesForAddress` finds it
 * before anyone knows its signature. It is the SHA-256 of a fixed prefix and the invoice's id: it has no known private key, and
 * nothing is ever sent to it.
 */
export function paymentReference(invoiceId: string): string {
  return base58.encode(sha256(utf8.decode(`${referencePurpose}${invoiceId}`)))
}

/**
 * A transfer request of the Solana Pay specification, version 1. The amount is in SOL or in whole tokens, with a digit before
 * the decimal point and no exponent. The recipient is the wallet; the payer's wallet finds its token account.
 */
export function transferRequest(
  to: DepositAddress,
  asset: Asset,
  units: bigint,
  note: PaymentNote | null,
): string {
  const fields = [
    ['amount', formatDecimal(units, asset.decimals)],
    ['spl-token', asset.contractAddress],
    ['reference', note === null ? null : paymentReference(note.invoiceId)],
    ['label', encoded(note?.label ?? null, maxLabelBytes)],
    ['message', encoded(note?.message ?? null, maxMessageBytes)],
  ] as const
  const query = fields.flatMap(([name, value]) => (value === null ? [] : `${name}=${value}`))
  return `solana:${to.address}?${query.join('&')}`
}

const graphemes = new Intl.Segmenter('en')
const cut = encodeURIComponent('…')

/** A text for a link, percent-encoded. One that is too long is cut between characters. Null if nothing is left of it. */
function encoded(text: string | null, maxBytes: number): string | null {
  const line = (text ?? '')
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const whole = encodeURIComponent(line)
  if (whole === '') return null
  if (whole.length <= maxBytes) return whole
  let kept = ''
  // No more characters than bytes can be kept, however long the text is.
  for (const { segment } of graphemes.segment(line.slice(0, maxBytes))) {
    const next = `${kept}${encodeURIComponent(segment.toWellFormed())}`
    if (next.length + cut.length > maxBytes) break
    kept = next
  }
  return kept === '' ? null : `${kept}${cut}`
}
