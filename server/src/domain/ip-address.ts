import { isIPv4, isIPv6 } from 'node:net'

/** An address as a number. An IPv4-mapped IPv6 address (`::ffff:127.0.0.1`) is read as IPv4: it reaches the same host. */
export type IpAddress = { readonly family: 4 | 6; readonly value: bigint }

/** All addresses of one family that start with the same bits. */
export type IpRange = { readonly family: 4 | 6; readonly value: bigint; readonly prefix: number }

const widths = { 4: 32, 6: 128 } as const
const mappedPrefix = 0xffffn

/** Reads an address in its usual notation; null for anything else, including an address with a zone (`%eth0`). */
export function parseIp(text: string): IpAddress | null {
  if (isIPv4(text)) return { family: 4, value: valueOfIpv4(text) }
  if (!isIPv6(text) || text.includes('%')) return null
  const value = valueOfIpv6(text)
  return value >> 32n === mappedPrefix ? { family: 4, value: lowest32(value) } : { family: 6, value }
}

/**
 * Reads `10.0.0.0/8`, or a single address as a range of one; null for anything else, including ranges with bits set
 * beyond the prefix.
 */
export function parseRange(text: string): IpRange | null {
  const [address = '', length, ...more] = text.split('/')
  const ip = parseIp(address)
  if (ip === null || more.length > 0) return null
  if (length === undefined) return { ...ip, prefix: widths[ip.family] }
  // The length of an IPv4-mapped range is ambiguous: it may count from the IPv4 or the IPv6 address.
  const mapped = ip.family === 4 && !isIPv4(address)
  if (mapped || !/^(0|[1-9][0-9]{0,2})$/.test(length) || Number(length) > widths[ip.family]) return null
  const prefix = Number(length)
  const rest = BigInt(widths[ip.family] - prefix)
  return (ip.value >> rest) << rest === ip.value ? { ...ip, prefix } : null
}

/** Ranges that are hard-coded. Throws at start when one is mistyped. */
export function ranges(...texts: readonly string[]): readonly IpRange[] {
  return texts.map((text) => {
    const range = parseRange(text)
    if (range === null) throw new Error(`${text} is not an address range.`)
    return range
  })
}

export function isWithin(ip: IpAddress, range: IpRange): boolean {
  const rest = BigInt(widths[range.family] - range.prefix)
  return ip.family === range.family && ip.value >> rest === range.value >> rest
}

/** Whether a host name or address, as a URL or setting writes it, reaches this machine only. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.[\d.]+|::1|\[::1\])$/.test(host)
}

export function lowest32(value: bigint): bigint {
  return value & 0xffff_ffffn
}

function valueOfIpv4(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}

function valueOfIpv6(text: string): bigint {
  // The last 32 bits may be written as IPv4.
  const hex = text.replace(/[0-9.]+\.[0-9]+$/, (tail) => {
    const value = valueOfIpv4(tail)
    return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`
  })
  const [front = '', back] = hex.split('::')
  const before = front === '' ? [] : front.split(':')
  const after = back === undefined || back === '' ? [] : back.split(':')
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}
