import { createRequire } from 'node:module'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { maxWord } from './abi-words.ts'
import { canonicalAddress, evmAddress } from './address.ts'
import { approveCall, readApproveCall } from './allowance-call.ts'
import { bytesOf, hashOf, hexOf } from './hex.ts'
import { type MultisendOutput, multisendCall, readMultisendCall } from './multisend-call.ts'

/**
 * What a transfer says, apart from who signed it: the coin itself, or a token by a call of its contract. Or, where it moves
 * nothing, how much of a token somebody else may move.
 */
export type EvmTransfer = {
  readonly chainId: number
  readonly nonce: bigint
  readonly to: string
  /** Null for the network's own coin. */
  readonly contractAddress: string | null
  readonly units: bigint
  /** What the contract at `to` pays out of `units`, which is their sum; left out where `to` itself is paid. */
  readonly outputs?: readonly MultisendOutput[]
  /** How much of the token `to` may take from now on; `units` is zero then. Left out where coins move. */
  readonly allowsUnits?: bigint
  readonly gasLimit: bigint
  /**
   * The most a unit of gas may cost, and how much of it whoever makes the block gets beyond the base fee; null in a transaction
   * of the older kind (EIP-155), which has a price and nothing else.
   */
  readonly gasPrice: bigint
  readonly gasTip: bigint | null
}

type Viem = typeof import('viem/utils')

let loaded: Viem | null = null

/** Loaded with the first transaction: a process that makes and reads none must not wait for it at every start. */
function viem(): Viem {
  loaded ??= createRequire(import.meta.url)('viem/utils') as Viem
  return loaded
}

const transferAbi = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
    outputs: [{ name: '', type: 'bool' }],
  },
] as const

const maxGas = 2n ** 64n - 1n
// EIP-2681 allows up to 2^64 - 2; viem takes a number, and no account will ever count beyond this.
const maxNonce = BigInt(Number.MAX_SAFE_INTEGER)

// No transfer to as many as can be paid at once comes near; what is longer is not looked at.
const maxBytes = 16_384
const recoveryAt = 0
const scalarBytes = 32
const oldParity = 27n

/** The transfer as an EIP-1559 or EIP-155 transaction with RFC 6979's signature: the same one gives the same bytes. */
export function signTransfer(transfer: EvmTransfer, privateKey: Uint8Array): Uint8Array {
  const { units, outputs, allowsUnits, gasLimit, gasPrice, gasTip, nonce } = transfer
  if (outputs !== undefined && sumOf(outputs) !== units)
    throw new RangeError('Coins for several are the sum of what each is paid.')
  if (
    allowsUnits !== undefined &&
    (transfer.contractAddress === null || outputs !== undefined || units !== 0n)
  )
    throw new RangeError('What allows others to take a token moves nothing itself.')
  if (units < 0n || units > maxWord) throw new RangeError('An amount is not negative and below 2^256.')
  if (gasLimit <= 0n || gasLimit > maxGas) throw new RangeError('A gas limit is positive and below 2^64.')
  if (gasPrice < 0n || gasPrice > maxWord) throw new RangeError('A gas price is below 2^256.')
  if (gasTip !== null && (gasTip < 0n || gasTip > gasPrice))
    throw new RangeError('A tip is part of the gas price.')
  if (nonce < 0n || nonce > maxNonce) throw new RangeError('A number of an account is below 2^53.')
  const unsigned = requestOf(transfer)
  const digest = bytesOf(hashOf(bytesOf(viem().serializeTransaction(unsigned))))
  const signature = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' })
  const scalars = signature.subarray(recoveryAt + 1)
  return bytesOf(
    signedForm(unsigned, {
      r: hexOf(scalars.subarray(0, scalarBytes)),
      s: hexOf(scalars.subarray(scalarBytes)),
      yParity: signature[recoveryAt] === 1 ? 1 : 0,
    }),
  )
}

// viem wants the parity of the older kind as it stood before EIP-155, and makes the rest of it from the chain's number.
function signedForm(unsigned: ReturnType<typeof requestOf>, { r, s, yParity }: Signature): `0x${string}` {
  return unsigned.type === 'legacy'
    ? viem().serializeTransaction(unsigned, { r, s, v: oldParity + BigInt(yParity) })
    : viem().serializeTransaction(unsigned, { r, s, yParity })
}

/** The transfer that these bytes are, and who signed it; or why they are none, or none that we understand. */
export function readTransfer(
  bytes: Uint8Array,
): { readonly transfer: EvmTransfer; readonly from: string } | { readonly refused: string } {
  const parsed = bytes.length <= maxBytes ? parse(bytes) : null
  if (parsed === null) return { refused: 'These bytes are no signed EIP-1559 or EIP-155 transaction.' }
  const { transfer, signature } = parsed
  // Anything that is written in another way than ours, or says more than a transfer does, is seen here.
  const unsigned = requestOf(transfer)
  if (signedForm(unsigned, signature) !== hexOf(bytes))
    return { refused: 'The transaction is no plain transfer, or is not written canonically.' }
  const digest = bytesOf(hashOf(bytesOf(viem().serializeTransaction(unsigned))))
  const from = recover(signature, digest)
  return from === null ? { refused: 'The signature is not valid.' } : { transfer, from }
}

function sumOf(outputs: readonly MultisendOutput[]): bigint {
  return outputs.reduce((sum, { units }) => sum + units, 0n)
}

function requestOf({
  chainId,
  nonce,
  to,
  contractAddress,
  units,
  outputs,
  allowsUnits,
  ...gas
}: EvmTransfer) {
  const common = { chainId, nonce: Number(nonce), gas: gas.gasLimit }
  const frame =
    gas.gasTip === null
      ? ({ ...common, type: 'legacy', gasPrice: gas.gasPrice } as const)
      : ({
          ...common,
          type: 'eip1559',
          maxFeePerGas: gas.gasPrice,
          maxPriorityFeePerGas: gas.gasTip,
        } as const)
  if (outputs !== undefined) {
    const paying = { ...frame, to: to as `0x${string}`, data: multisendCall(outputs, contractAddress) }
    return contractAddress === null ? { ...paying, value: units } : paying
  }
  if (contractAddress !== null && allowsUnits !== undefined) {
    const data = approveCall({ spender: to, units: allowsUnits })
    return { ...frame, to: contractAddress as `0x${string}`, data }
  }
  if (contractAddress === null) return { ...frame, to: to as `0x${string}`, value: units }
  const data = viem().encodeFunctionData({
    abi: transferAbi,
    functionName: 'transfer',
    args: [to as `0x${string}`, units],
  })
  return { ...frame, to: contractAddress as `0x${string}`, data }
}

type Signature = {
  readonly r: `0x${string}`
  readonly s: `0x${string}`
  readonly yParity: number
}

function parse(bytes: Uint8Array): { transfer: EvmTransfer; signature: Signature } | null {
  try {
    const parsed = viem().parseTransaction(hexOf(bytes))
    const { type, chainId, nonce, to, value, data, r, s, yParity } = parsed
    const isLegacy = type === 'legacy'
    if (!isLegacy && type !== 'eip1559') return null
    // Before EIP-155 a signature was good on every chain.
    if (!to || !chainId || r === undefined || s === undefined || yParity === undefined) return null
    const said = contentOf(to, value ?? 0n, data)
    if (said === null) return null
    const transfer = {
      chainId,
      nonce: BigInt(nonce ?? 0),
      ...said,
      to: canonicalAddress(said.to),
      gasLimit: parsed.gas ?? 0n,
      gasPrice: (isLegacy ? parsed.gasPrice : parsed.maxFeePerGas) ?? 0n,
      gasTip: isLegacy ? null : (parsed.maxPriorityFeePerGas ?? 0n),
    }
    if (transfer.to === null || transfer.gasLimit > maxGas || said.units > maxWord) return null
    return { transfer: { ...transfer, to: transfer.to }, signature: { r, s, yParity } }
  } catch {
    // viem throws on whatever it cannot read, and each kind of damage has its own error.
    return null
  }
}

type Content = Pick<EvmTransfer, 'to' | 'contractAddress' | 'units' | 'outputs' | 'allowsUnits'>

/** Whom it pays or allows what; null when that does not add up. Throws when it calls anything else. */
function contentOf(to: string, value: bigint, data: `0x${string}` | undefined): Content | null {
  if (data === undefined) return { to, contractAddress: null, units: value }
  const shared = readMultisendCall(data)
  if (shared !== null) {
    const { token, outputs } = shared
    const units = sumOf(outputs)
    // The contract gives what is left over back: that is no transfer of ours.
    return token === null && units !== value ? null : { to, contractAddress: token, units, outputs }
  }
  const contractAddress = canonicalAddress(to)
  const allowed = readApproveCall(data)
  if (allowed !== null) return { to: allowed.spender, contractAddress, units: 0n, allowsUnits: allowed.units }
  const [recipient, units] = viem().decodeFunctionData({ abi: transferAbi, data }).args
  return { to: recipient, contractAddress, units }
}

/** The address whose key made the signature; null when nobody's did. EIP-2: of the two that fit, the one with a low S. */
function recover({ r, s, yParity }: Signature, digest: Uint8Array): string | null {
  try {
    const recovered = new secp256k1.Signature(BigInt(r), BigInt(s), yParity)
    if (recovered.hasHighS()) return null
    return evmAddress(recovered.recoverPublicKey(digest).toBytes(true))
  } catch {
    // Zero, or beyond the curve's order, or no point of it.
    return null
  }
}
