import { bytesOf, hashOf, hexOf } from './hex.ts'
import { decodeRlp, encodeRlp, numberBytes, numberIn, type RlpItem } from './rlp.ts'

/** The content of any transaction: EIP-1559, or EIP-155 where the tip is null. */
export type EvmRequest = {
  readonly chainId: number
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly gasPrice: bigint
  readonly gasTip: bigint | null
  readonly to: string
  readonly value: bigint
  readonly data: `0x${string}`
}

export type EvmSignature = { readonly r: bigint; readonly s: bigint; readonly yParity: number }

// The EIP-2718 type of EIP-1559 transactions. Legacy transactions have no type: they start as an RLP list.
const feeMarketType = 0x02
// EIP-155: a signature's parity is encoded as 35 or 36 plus twice the chain id.
const protectedParity = 35n
const feeMarketItems = 12
const legacyItems = 9
const addressBytes = 20
const maxChainId = BigInt(Number.MAX_SAFE_INTEGER)

/** The transaction before it is signed. */
export function unsignedForm(request: EvmRequest): Uint8Array {
  const items =
    request.gasTip === null
      ? [...itemsOf(request), numberBytes(BigInt(request.chainId)), numberBytes(0n), numberBytes(0n)]
      : itemsOf(request)
  return written(request, items)
}

/** The digest that is signed. */
export function digestOf(request: EvmRequest): Uint8Array {
  return bytesOf(hashOf(unsignedForm(request)))
}

/** The signed transaction as it is broadcast. */
export function signedForm(request: EvmRequest, { r, s, yParity }: EvmSignature): Uint8Array {
  const parity =
    request.gasTip === null
      ? protectedParity + 2n * BigInt(request.chainId) + BigInt(yParity)
      : BigInt(yParity)
  return written(request, [...itemsOf(request), numberBytes(parity), numberBytes(r), numberBytes(s)])
}

/**
 * Parses a transaction; null when the bytes are not a signed EIP-1559 or EIP-155 transaction, create a contract, or have an
 * access list. Neither the signature nor the size of the numbers is checked here.
 */
export function readEnvelope(bytes: Uint8Array): { request: EvmRequest; signature: EvmSignature } | null {
  return bytes[0] === feeMarketType ? readFeeMarket(bytes.subarray(1)) : readLegacy(bytes)
}

function itemsOf({ chainId, nonce, gasLimit, gasPrice, gasTip, to, value, data }: EvmRequest): RlpItem[] {
  const gas = [gasPrice, gasLimit].map(numberBytes)
  const call = [bytesOf(to as `0x${string}`), numberBytes(value), bytesOf(data)]
  if (gasTip === null) return [numberBytes(nonce), ...gas, ...call]
  return [...[BigInt(chainId), nonce, gasTip].map(numberBytes), ...gas, ...call, []]
}

function written({ gasTip }: EvmRequest, items: readonly RlpItem[]): Uint8Array {
  const list = encodeRlp(items)
  return gasTip === null ? list : Uint8Array.of(feeMarketType, ...list)
}

function readFeeMarket(bytes: Uint8Array): ReturnType<typeof readEnvelope> {
  const items = decodeRlp(bytes)
  if (items?.length !== feeMarketItems) return null
  const [chainId, nonce, gasTip, gasPrice, gasLimit, to, value, data, accessList, yParity, r, s] = items
  if (accessList instanceof Uint8Array) return null
  const parity = numberIn(yParity)
  const tip = numberIn(gasTip)
  if (parity === null || parity > 1n || tip === null) return null
  return put({ chainId: numberIn(chainId), gasTip: tip, yParity: Number(parity) }, [
    nonce,
    gasPrice,
    gasLimit,
    to,
    value,
    data,
    r,
    s,
  ])
}

function readLegacy(bytes: Uint8Array): ReturnType<typeof readEnvelope> {
  const items = decodeRlp(bytes)
  if (items?.length !== legacyItems) return null
  const [nonce, gasPrice, gasLimit, to, value, data, parity, r, s] = items
  const said = numberIn(parity)
  // Before EIP-155 a signature was valid on every chain.
  if (said === null || said < protectedParity) return null
  const chainId = (said - protectedParity) / 2n
  const yParity = Number((said - protectedParity) % 2n)
  return put({ chainId, gasTip: null, yParity }, [nonce, gasPrice, gasLimit, to, value, data, r, s])
}

function put(
  { chainId, gasTip, yParity }: { chainId: bigint | null; gasTip: bigint | null; yParity: number },
  [nonce, gasPrice, gasLimit, to, value, data, r, s]: readonly (RlpItem | undefined)[],
): ReturnType<typeof readEnvelope> {
  if (chainId === null || chainId === 0n || chainId > maxChainId) return null
  if (!(to instanceof Uint8Array) || to.length !== addressBytes || !(data instanceof Uint8Array)) return null
  const numbers = [nonce, gasPrice, gasLimit, value, r, s].map(numberIn)
  if (numbers.includes(null)) return null
  const [count = 0n, price = 0n, limit = 0n, units = 0n, first = 0n, second = 0n] = numbers as bigint[]
  return {
    request: {
      chainId: Number(chainId),
      nonce: count,
      gasLimit: limit,
      gasPrice: price,
      gasTip,
      to: hexOf(to),
      value: units,
      data: hexOf(data),
    },
    signature: { r: first, s: second, yParity },
  }
}
