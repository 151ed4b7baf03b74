import { secp256k1 } from '@noble/curves/secp256k1.js'
import { maxWord } from './abi-words.ts'
import { canonicalAddress, evmAddress } from './address.ts'
import { digestOf, type EvmRequest, type EvmSignature, readEnvelope, signedForm } from './envelope.ts'
import { hexOf } from './hex.ts'
import { anyTransferCall, readAnyTransferCall } from './transfer-call.ts'

/** What a transfer says, apart from who signed it: the coin itself, or a token by a call of its contract. */
export type EvmTransfer = {
  readonly chainId: number
  readonly nonce: bigint
  readonly to: string
  /** Null for the network's own coin. */
  readonly contractAddress: string | null
  readonly units: bigint
  readonly gasLimit: bigint
  /**
   * The most a unit of gas may cost, and how much of it whoever makes the block gets beyond the base fee; null in a transaction
   * of the older kind (EIP-155), which has a price and nothing else.
   */
  readonly gasPrice: bigint
  readonly gasTip: bigint | null
}

const maxGas = 2n ** 64n - 1n
// EIP-2681 allows up to 2^64 - 2; nodes and their callers count in numbers, and no account will ever count beyond this.
const maxNonce = BigInt(Number.MAX_SAFE_INTEGER)

// No transfer comes near; what is longer is not looked at.
const maxBytes = 1_024
const recoveryAt = 0
const scalarBytes = 32

/** The transfer as an EIP-1559 or EIP-155 transaction with RFC 6979's signature: the same one gives the same bytes. */
export function signTransfer(transfer: EvmTransfer, privateKey: Uint8Array): Uint8Array {
  const { units, gasLimit, gasPrice, gasTip, nonce } = transfer
  if (units < 0n || units > maxWord) throw new RangeError('An amount is not negative and below 2^256.')
  if (gasLimit <= 0n || gasLimit > maxGas) throw new RangeError('A gas limit is positive and below 2^64.')
  if (gasPrice < 0n || gasPrice > maxWord) throw new RangeError('A gas price is below 2^256.')
  if (gasTip !== null && (gasTip < 0n || gasTip > gasPrice))
    throw new RangeError('A tip is part of the gas price.')
  if (nonce < 0n || nonce > maxNonce) throw new RangeError('A number of an account is below 2^53.')
  if (!Number.isSafeInteger(transfer.chainId) || transfer.chainId <= 0)
    throw new RangeError("A chain's number is positive and below 2^53.")
  for (const address of [transfer.to, transfer.contractAddress ?? transfer.to])
    if (canonicalAddress(address) === null) throw new Error(`"${address}" is no address.`)
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

/** The transfer that these bytes are, and who signed it; or why they are none, or none that we understand. */
export function readTransfer(
  bytes: Uint8Array,
): { readonly transfer: EvmTransfer; readonly from: string } | { readonly refused: string } {
  const parsed = bytes.length <= maxBytes ? parse(bytes) : null
  if (parsed === null) return { refused: 'These bytes are no signed EIP-1559 or EIP-155 transaction.' }
  const { transfer, signature } = parsed
  // Anything that is written in another way than ours, or says more than a transfer does, is seen here.
  const request = requestOf(transfer)
  if (hexOf(signedForm(request, signature)) !== hexOf(bytes))
    return { refused: 'The transaction is no plain transfer, or is not written canonically.' }
  const from = recover(signature, digestOf(request))
  return from === null ? { refused: 'The signature is not valid.' } : { transfer, from }
}

function requestOf({ to, contractAddress, units, ...frame }: EvmTransfer): EvmRequest {
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

/** Whom it pays what; null when it calls anything else. */
function contentOf(to: string, value: bigint, data: `0x${string}`): Content | null {
  if (data === '0x') return { to, contractAddress: null, units: value }
  const moved = readAnyTransferCall(data)
  return moved === null ? null : { ...moved, contractAddress: canonicalAddress(to) }
}

/** The address whose key made the signature; null when nobody's did. EIP-2: of the two that fit, the one with a low S. */
function recover({ r, s, yParity }: EvmSignature, digest: Uint8Array): string | null {
  try {
    const recovered = new secp256k1.Signature(r, s, yParity)
    if (recovered.hasHighS()) return null
    return evmAddress(recovered.recoverPublicKey(digest).toBytes(true))
  } catch {
    // Zero, or beyond the curve's order, or no point of it.
    return null
  }
}
