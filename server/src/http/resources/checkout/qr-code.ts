import type { QrCode } from '@sluice/web/contract'
import { qrCodeOf } from '@sluice/web/ui/qr-coder.ts'

// An open invoice's page is read many times, each time with the same code.
const maxKept = 2_000

/** Creates QR codes as SVG paths, and keeps the latest ones. */
export function qrCoder(): (text: string) => QrCode {
  const kept = new Map<string, QrCode>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    const code = qrCodeOf(text)
    const [oldest] = kept.keys()
    if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest)
    kept.set(text, code)
    return code
  }
}
