/** The part of CBOR that WebAuthn needs: no floats, no tags, no indefinite lengths. */
export type CborItem = number | string | boolean | null | Buffer | readonly CborItem[] | CborMap
export type CborMap = ReadonlyMap<number | string, CborItem>

// CTAP 2.1, 8: authenticators nest at most four levels deep.
const maxDepth = 4

/** Reads the item that starts at `start` (RFC 8949) and returns where it ends. Throws a `RangeError` if there is none. */
export function readCbor(bytes: Buffer, start = 0): { readonly item: CborItem; readonly end: number } {
  let at = start

  function head(): { major: number; value: number } {
    const first = bytes.readUInt8(at++)
    const short = first & 0x1f
    if (short < 24) return { major: first >> 5, value: short }
    if (short > 26) throw new RangeError('the length is too large')
    const size = 1 << (short - 24)
    const value = bytes.readUIntBE(at, size)
    at += size
    return { major: first >> 5, value }
  }

  function take(length: number): Buffer {
    if (at + length > bytes.length) throw new RangeError('the input ends too early')
    at += length
    return bytes.subarray(at - length, at)
  }

  function item(depth: number): CborItem {
    if (depth > maxDepth) throw new RangeError('the nesting is too deep')
    const { major, value } = head()
    switch (major) {
      case 0:
        return value
      case 1:
        return -1 - value
      case 2:
        return take(value)
      case 3:
        return take(value).toString('utf8')
      case 4: {
        const items: CborItem[] = []
        while (items.length < value) items.push(item(depth + 1))
        return items
      }
      case 5:
        return map(value, depth)
      default:
        return simple(major, value)
    }
  }

  function map(size: number, depth: number): CborMap {
    const members = new Map<number | string, CborItem>()
    while (members.size < size) {
      const label = item(depth + 1)
      if ((typeof label !== 'number' && typeof label !== 'string') || members.has(label))
        throw new RangeError('a map key is invalid or repeated')
      members.set(label, item(depth + 1))
    }
    return members
  }

  const read = item(1)
  return { item: read, end: at }
}

function simple(major: number, value: number): boolean | null {
  if (major === 7 && value === 20) return false
  if (major === 7 && value === 21) return true
  if (major === 7 && value === 22) return null
  throw new RangeError('the type is not supported')
}
