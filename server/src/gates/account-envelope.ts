import { hex, utf8 } from '@scure/base'
import { canonicalJson } from '../domain/canonical-json.ts'
import { type AccountPlan, isCancelling, type KeyPath, type SignedTransaction } from '../domain/spends.ts'
import type { ReadTransaction } from './family.ts'
import { sameBytes } from './same-bytes.ts'

/**
 * The stand-in for a transaction on the XRP Ledger, where we have no node to check real ones. It is our own
 * format, which only the simulator accepts: the payment as RFC 8785 JSON, signed with the account's real key. A live gate
 * of such a network replaces it with the network's own transactions.
 */
export type Envelope = {
  readonly from: string
  readonly nonce: bigint
  readonly to: string
  readonly tag: string | null
  readonly currency: string
  /** The token's contract or mint; null for the native currency. */
  readonly contract: string | null
  readonly units: bigint
  readonly gasLimit: bigint
  readonly gasPrice: bigint
}

/** How a network's accounts sign, and how their addresses and transaction hashes look. */
export type EnvelopeScheme = {
  readonly network: string
  publicKeyOf(privateKey: Uint8Array): Uint8Array
  addressOf(publicKey: Uint8Array): string
  /** Always the same signature for the same message. */
  sign(message: Uint8Array, privateKey: Uint8Array): Uint8Array
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean
  hashOf(bytes: Uint8Array, signature: Uint8Array): string
}

// Prefixed to every signed message. No network's own transaction starts like this, so a signature for the simulator is
// valid nowhere else.
const domain = 'sluice simulated transaction\n'
const maxBytes = 4_096
const integerPattern = /^(?:0|[1-9][0-9]{0,77})$/
const hexPattern = /^(?:[0-9a-f]{2})+$/

/** Signs a plan. Throws when the key is not the sender's. */
export function signEnvelope(
  scheme: EnvelopeScheme,
  plan: AccountPlan,
  keyOf: (path: KeyPath) => Uint8Array,
): SignedTransaction {
  const { from, nonce, to, currency, contractAddress, units, gasLimit, gasPrice } = plan
  if ((units <= 0n && !isCancelling(plan)) || gasLimit <= 0n || gasPrice < 0n || nonce < 0n)
    throw new RangeError('A plan needs a positive amount, a positive gas limit and a nonce of at least zero.')
  const privateKey = keyOf(from.key)
  const publicKey = scheme.publicKeyOf(privateKey)
  if (scheme.addressOf(publicKey) !== from.address)
    throw new Error(
      `The key for ${from.key.chain} address ${from.key.index} is not the key of ${from.address}.`,
    )
  const envelope: Envelope = {
    from: from.address,
    nonce,
    to: to.address,
    tag: to.tag,
    currency,
    contract: contractAddress,
    units,
    gasLimit,
    gasPrice,
  }
  const body = bodyOf(scheme.network, envelope, publicKey)
  const signature = scheme.sign(messageOf(body), privateKey)
  const bytes = utf8.decode(canonicalJson({ ...body, signature: hex.encode(signature) }))
  return { hash: scheme.hashOf(bytes, signature), bytes }
}

/** The content and hash of an envelope, or why it is refused. */
export function readEnvelope(
  scheme: EnvelopeScheme,
  bytes: Uint8Array,
): { readonly envelope: Envelope; readonly hash: string } | { readonly refused: string } {
  const parsed = bytes.length <= maxBytes ? parse(bytes) : null
  if (parsed === null) return { refused: 'These bytes are not a signed transaction.' }
  const { network, envelope, publicKey, signature } = parsed
  if (network !== scheme.network) return { refused: `The transaction is for ${network}.` }
  const body = bodyOf(network, envelope, publicKey)
  // Detects anything that is missing, added or written differently: there is only one valid form.
  if (!sameBytes(utf8.decode(canonicalJson({ ...body, signature: hex.encode(signature) })), bytes))
    return { refused: 'The transaction is not written canonically.' }
  if (!scheme.verify(signature, messageOf(body), publicKey)) return { refused: 'The signature is invalid.' }
  if (scheme.addressOf(publicKey) !== envelope.from)
    return { refused: 'The transaction is not signed with the sender’s key.' }
  return { envelope, hash: scheme.hashOf(bytes, signature) }
}

/** What an envelope does, as a family reads it. */
export function readAccountEnvelope(
  scheme: EnvelopeScheme,
  bytes: Uint8Array,
): ReadTransaction | { readonly refused: string } {
  const found = readEnvelope(scheme, bytes)
  if ('refused' in found) return found
  const { from, nonce, to, tag, contract, units, gasLimit, gasPrice } = found.envelope
  return {
    kind: 'account',
    hash: found.hash,
    from,
    nonce,
    to: { address: to, tag },
    contractAddress: contract,
    units,
    gasLimit,
    gasPrice,
  }
}

function bodyOf(network: string, envelope: Envelope, publicKey: Uint8Array) {
  const { from, nonce, to, tag, currency, contract, units, gasLimit, gasPrice } = envelope
  return {
    network,
    from,
    nonce: String(nonce),
    to,
    tag,
    currency,
    contract,
    units: String(units),
    gas_limit: String(gasLimit),
    gas_price: String(gasPrice),
    public_key: hex.encode(publicKey),
  }
}

function messageOf(body: ReturnType<typeof bodyOf>): Uint8Array {
  return utf8.decode(domain + canonicalJson(body))
}

type Parsed = {
  readonly network: string
  readonly envelope: Envelope
  readonly publicKey: Uint8Array
  readonly signature: Uint8Array
}

function parse(bytes: Uint8Array): Parsed | null {
  try {
    const found: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof found !== 'object' || found === null) return null
    const field = (name: string): unknown => (found as Record<string, unknown>)[name]
    return {
      network: text(field('network')),
      envelope: {
        from: text(field('from')),
        nonce: integer(field('nonce')),
        to: text(field('to')),
        tag: textOrNull(field('tag')),
        currency: text(field('currency')),
        contract: textOrNull(field('contract')),
        units: integer(field('units')),
        gasLimit: integer(field('gas_limit')),
        gasPrice: integer(field('gas_price')),
      },
      publicKey: hexBytes(field('public_key')),
      signature: hexBytes(field('signature')),
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text is missing')
  return value
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : text(value)
}

function integer(value: unknown): bigint {
  if (!integerPattern.test(text(value))) throw new TypeError('an integer is wrong')
  return BigInt(text(value))
}

function hexBytes(value: unknown): Uint8Array {
  if (!hexPattern.test(text(value))) throw new TypeError('bytes are wrong')
  return hex.decode(text(value))
}
