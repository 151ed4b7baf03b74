import decodeQR from 'qr/decode.js'
import { expect, it } from 'vitest'
import { qrCoder } from '../../../src/http/resources/checkout/qr-code.ts'

const scale = 4
const quiet = 4

/** Reads the code as a camera would: from an image of the path's rectangles. */
function scan({ size, path }: { size: number; path: string }): string {
  const width = (size + 2 * quiet) * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  let [x, y] = [0, 0]
  for (const [, dx, dy, run] of path.matchAll(/[Mm](-?\d+) (-?\d+)h(\d+)v1h-\d+z/g)) {
    x += Number(dx)
    y += Number(dy)
    for (let row = 0; row < scale; row++)
      for (let column = 0; column < Number(run) * scale; column++) {
        const at = ((y + quiet) * scale + row) * width + (x + quiet) * scale + column
        data.set([0, 0, 0], at * 4)
      }
  }
  return decodeQR({ width, height: width, data })
}

it.each([
  'bitcoin:tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx?amount=0.01',
  'ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=0x9858EfFD232B4033E47d90003D41EC34EcaEda94&uint256=115792089237316195423570985008687907853269984665640564039457584007913129639935',
  'solana:HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk?amount=1.5&spl-token=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
])('the path of a QR code scans as %s', (uri) => {
  const code = qrCoder()(uri)
  expect(scan(code)).toBe(uri)
})

it('codes are cached, up to a limit', () => {
  const qrCode = qrCoder()
  const first = qrCode('first')
  expect(qrCode('first')).toBe(first)
  for (let n = 0; n < 2_000; n++) qrCode(`other ${n}`)
  expect(qrCode('first')).not.toBe(first)
  expect(qrCode('first')).toEqual(first)
})
