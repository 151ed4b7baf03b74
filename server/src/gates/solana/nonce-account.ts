import { type Address, getAddressDecoder } from '@solana/addresses'
import { getStructDecoder } from '@solana/codecs-data-structures'
import { getU32Decoder, getU64Decoder } from '@solana/codecs-numbers'
import { nonceAccountBytes } from './instructions.ts'

// The second version of the format; in the first, the values were not yet safe from being executed twice.
const current = 1
const initialised = 1
const layout = getStructDecoder([
  ['version', getU32Decoder()],
  ['state', getU32Decoder()],
  ['authority', getAddressDecoder()],
  ['value', getAddressDecoder()],
  ['lamportsPerSignature', getU64Decoder()],
])

/** Who may advance a nonce account, and its present value, from its data; null if it is not a nonce account in use. */
export function readNonceAccount(
  data: Uint8Array,
): { readonly authority: Address; readonly value: string } | null {
  if (data.length !== Number(nonceAccountBytes)) return null
  const { version, state, authority, value } = layout.decode(data)
  return version === current && state === initialised ? { authority, value } : null
}
