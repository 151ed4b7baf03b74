import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

const brotli = promisify(brotliCompress)
const gz = promisify(gzip)
// A page is compressed while its reader waits; immutable files were compressed when they were built.
const quickBrotli = 5

/** The best encoding that an `Accept-Encoding` header allows (RFC 9110); null: none. */
export function acceptedEncoding(header: string | undefined): Encoding | null {
  const accepted = (header ?? '').split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.trim().toLowerCase().split(';')
    const isRefused = parameters.some((parameter) => /^\s*q\s*=\s*0(\.0{0,3})?\s*$/.test(parameter))
    return isRefused ? [] : [name.trim()]
  })
  return accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : null
}

export function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return gz(bytes)
  return brotli(bytes, {
    params: {
      [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
      [zlib.BROTLI_PARAM_QUALITY]: quickBrotli,
      [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
}
