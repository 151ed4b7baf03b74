import type { QrCode } from '@sluice/web/contract'
import encodeQR from 'qr'

/** A QR code (ISO/IEC 18004, error correction M) as an SVG path, without its quiet zone. */
export function qrCodeOf(text: string): QrCode {
  // The library always adds a quiet zone; the component that draws the code adds its own.
  const bordered = encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
  const modules = bordered.slice(1, -1).map((row) => row.slice(1, -1))
  return { size: modules.length, path: pathOf(modules) }
}

/** One rectangle for each run of dark modules in a row, drawn with relative moves to keep the path short. */
function pathOf(modules: readonly (readonly boolean[])[]): string {
  let path = ''
  let at = { x: 0, y: 0 }
  for (const [y, row] of modules.entries()) {
    for (let x = row.indexOf(true); x !== -1; x = row.indexOf(true, x)) {
      const light = row.indexOf(false, x)
      const end = light === -1 ? row.length : light
      path += `${path === '' ? 'M' : 'm'}${x - at.x} ${y - at.y}h${end - x}v1h-${end - x}z`
      at = { x, y }
      x = end
    }
  }
  return path
}
