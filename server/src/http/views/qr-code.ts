import type { QrCode } from '@sluice/web/contract'
import encodeQR from 'qr'

// A page is read many times while its invoice is open, and each time with the same code.
const maxKept = 2_000

/** Makes QR codes (ISO/IEC 18004, error correction M) as SVG paths, and keeps the latest. */
export function qrCoder(): (text: string) => QrCode {
  const kept = new Map<string, QrCode>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    // The library makes no code without a quiet zone; the page has one of its own.
    const bordered = encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
    const modules = bordered.slice(1, -1).map((row) => row.slice(1, -1))
    const code = { size: modules.length, path: pathOf(modules) }
    const [oldest] = kept.keys()
    if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest)
    kept.set(text, code)
    return code
  }
}

/** One rectangle for each run of dark modules in a row; each begins where the one before it began, so the steps are short. */
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
