import { secp256k1 } from '@noble/curves/secp256k1.js'
import { maxWord } from './abi-words.ts'
import { canonicalAddress, evmAddress } from './address.ts'
import { digestOf, type EvmRequest, type EvmSignature, readEnvelope, signedForm } from './envelope.ts'
import { hexOf } from './hex.ts'
import { anyTransferCall, readAnyTransferCall } from './transfer-call.ts'

/** An unsigned transfer: of the native currency, or of a token by a call of its contract. */
export type EvmTransfer = {
  readonly chainId: number
  readonly nonce: bigint
  readonly to: string
  /** Null for the native currency. */
  readonly contractAddress: string | null
  readonly units: bigint
  readonly gasLimit: bigint
  /**
   * The most a unit of gas may cost, and how much of it the block producer gets beyond the base fee. The tip is null in a
   * legacy transaction (EIP-155), which has only a price.
   */
  readonly gasPrice: bigint
  readonly gasTip: bigint | null
}

const maxGas = 2n ** 64n - 1n
// EIP-2681 allows up to 2^64 - 2, but clients count in JavaScript numbers, and no account will ever get this far.
const maxNonce = BigInt(Number.MAX_SAFE_INTEGER)

// Far more than any transfer takes; longer input is not parsed.
const maxBytes = 1_024
const recoveryAt = 0
const scalarBytes = 32

/** Signs a transfer as an EIP-1559 or EIP-155 transaction (RFC 6979): the same transfer gives the same bytes. */
export function signTransfer(transfer: EvmTransfer, privateKey: Uint8Array): Uint8Array {
  const { units, gasLimit, gasPrice, gasTip, nonce } = transfer
  if (units < 0n || units > maxWord)
    throw new RangeError('The amount must not be negative and must be below 2^256.')
  if (gasLimit <= 0n || gasLimit > maxGas)
    throw new RangeError('The gas limit must be positive and below 2^64.')
  if (gasPrice < 0n || gasPrice > maxWord)
    throw new RangeError('The gas price must not be negative and must be below 2^256.')
  if (gasTip !== null && (gasTip < 0n || gasTip > gasPrice))
    throw new RangeError('The tip must not be negative or above the gas price.')
  if (nonce < 0n || nonce > maxNonce)
    throw new RangeError('The nonce must not be negative and must be below 2^53.')
  if (!Number.isSafeInteger(transfer.chainId) || transfer.chainId <= 0)
    throw new RangeError('The chain id must be positive and below 2^53.')
  for (const address of [transfer.to, transfer.contractAddress ?? transfer.to])
    if (canonicalAddress(address) === null) throw new Error(`"${address}" is not an address.`)
  const request = requestOf(transfer)
  const signature = secp256k1.sign(digestOf(request), privateKey, { prehash: false, format: 'recovered' })
  const scalars = signature.subarray(recoveryAt + 1)
  return signedForm(request, {
    r: scalarIn(scalars.subarray(0, scalarBytes)),
    s: scalarIn(scalars.subarray(scalarBytes)),
    yParity: signature[recoveryAt] === 1 ? 1 : 0,
  })
}

function scalarIn(bytes: Uint8Array): bigint {
  return BigInt(hexOf(bytes))
}

/** The transfer in these bytes and its sender, or why they are not a transfer that we understand. */
export function readTransfer(
  bytes: Uint8Array,
): { readonly transfer: EvmTransfer; readonly from: string } | { readonly refused: string } {
  const parsed = bytes.length <= maxBytes ? parse(bytes) : null
  if (parsed === null) return { refused: 'These bytes are not a signed EIP-1559 or EIP-155 transaction.' }
  const { transfer, signature } = parsed
  // Detects any encoding that differs from ours, and any content beyond a plain transfer.
  const request = requestOf(transfer)
  if (hexOf(signedForm(request, signature)) !== hexOf(bytes))
    return { refused: 'The transaction is not a plain transfer, or not in canonical form.' }
  const from = recover(signature, digestOf(request))
  return from === null ? { refused: 'The signature is invalid.' } : { transfer, from }
}

/** The content of a transfer's transaction. */
export function requestOf({ to, contractAddress, units, ...frame }: EvmTransfer): EvmRequest {
  if (contractAddress === null) return { ...frame, to, value: units, data: '0x' }
  return { ...frame, to: contractAddress, value: 0n, data: anyTransferCall(to, units) }
}

function parse(bytes: Uint8Array): { transfer: EvmTransfer; signature: EvmSignature } | null {
  const parsed = readEnvelope(bytes)
  if (parsed === null) return null
  const { to, value, data, ...frame } = parsed.request
  const said = contentOf(to, value, data)
  const recipient = said === null ? null : canonicalAddress(said.to)
  if (said === null || recipient === null) return null
  const { nonce, gasLimit, gasPrice, gasTip } = frame
  if (nonce > maxNonce || gasLimit > maxGas || gasPrice > maxWord || said.units > maxWord) return null
  if (gasTip !== null && gasTip > gasPrice) return null
  return { transfer: { ...frame, ...said, to: recipient }, signature: parsed.signature }
}

type Content = Pick<EvmTransfer, 'to' | 'contractAddress' | 'units'>

/** The recipient and the amount; null when it is any other call. */
function contentOf(to: string, value: bigint, data: `0x${string}`): Content | null {
  if (data === '0x') return { to, contractAddress: null, units: value }
  const moved = readAnyTransferCall(data)
  return moved === null ? null : { ...moved, contractAddress: canonicalAddress(to) }
}

/** The address that signed; null when the signature is invalid. EIP-2: only the signature with the low S is accepted. */
function recover({ r, s, yParity }: EvmSignature, digest: Uint8Array): string | null {
  try {
    const recovered = new secp256k1.Signature(r, s, yParity)
    if (recovered.hasHighS()) return null
    return evmAddress(recovered.recoverPublicKey(digest).toBytes(true))
  } catch {
    // The scalars are zero or beyond the curve's order, or give no point on it.
    return null
  }
}
