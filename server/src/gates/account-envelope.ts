import { hex, utf8 } from '@scure/base'
import { canonicalJson } from '../domain/canonical-json.ts'
import { type AccountPlan, isCancelling, type KeyPath, type SignedTransaction } from '../domain/spends.ts'
import { sameBytes } from './same-bytes.ts'

/**
 * What stands in for a transaction where no node can be had to check a real one: the XRP Ledger and Solana. It is a form of
 * our own, which only the simulator takes: what is to be paid as RFC 8785 JSON, signed by the account's real key. A live
 * gate of such a network replaces it by the network's own transactions.
 */
export type Envelope = {
  readonly from: string
  readonly nonce: bigint
  readonly to: string
  readonly tag: string | null
  readonly currency: string
  /** The token's contract or mint; null for the network's own coin. */
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

// Before every signed message: no network's own transaction begins like this, so a signature made for the simulator is good
// nowhere else.
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
    throw new RangeError('A plan pays something, with a limit on its work and a number from zero.')
  const privateKey = keyOf(from.key)
  const publicKey = scheme.publicKeyOf(privateKey)
  if (scheme.addressOf(publicKey) !== from.address)
    throw new Error(`The key given for ${from.key.chain} address ${from.key.index} is not ${from.address}'s.`)
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

/** What an envelope says and the hash it is known by; or why nobody should take it. */
export function readEnvelope(
  scheme: EnvelopeScheme,
  bytes: Uint8Array,
): { readonly envelope: Envelope; readonly hash: string } | { readonly refused: string } {
  const parsed = bytes.length <= maxBytes ? parse(bytes) : null
  if (parsed === null) return { refused: 'These bytes are no signed transaction.' }
  const { network, envelope, publicKey, signature } = parsed
  if (network !== scheme.network) return { refused: `The transaction is for ${network}.` }
  const body = bodyOf(network, envelope, publicKey)
  // Whatever is missing, added or written in another way is seen here: there is one form only.
  if (!sameBytes(utf8.decode(canonicalJson({ ...body, signature: hex.encode(signature) })), bytes))
    return { refused: 'The transaction is not written canonically.' }
  if (!scheme.verify(signature, messageOf(body), publicKey)) return { refused: 'The signature is not valid.' }
  if (scheme.addressOf(publicKey) !== envelope.from)
    return { refused: 'The key that signed is not that of the sender.' }
  return { envelope, hash: scheme.hashOf(bytes, signature) }
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
