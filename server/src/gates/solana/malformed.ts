import { isSolanaError } from '@solana/errors'

/** Whether a decoder failed because its bytes are not what it decodes, and not because of a fault in the code. */
export function isMalformed(error: unknown): boolean {
  // Beyond the end of the bytes, some decoders fail with an error of the language.
  return isSolanaError(error) || error instanceof RangeError
}
