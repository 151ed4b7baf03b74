import { randomFillSync } from 'node:crypto'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** When a UUIDv7 was made, to the millisecond. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

/** A UUIDv7 (RFC 9562 §5.7): the time in milliseconds first, so that later ids sort later, then 74 random bits. */
export function uuidv7(now: Date, random: (bytes: Uint8Array) => Uint8Array = randomFillSync): string {
  const bytes = random(new Uint8Array(16))
  const view = new DataView(bytes.buffer)
  const milliseconds = BigInt(now.getTime())
  view.setUint32(0, Number(milliseconds >> 16n))
  view.setUint16(4, Number(milliseconds & 0xffffn))
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x70)
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80)
  const hex = Buffer.from(bytes.buffer).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
