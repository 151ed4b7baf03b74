import { type IpAddress, isWithin, lowest32, parseIp, ranges } from '../../domain/ip-address.ts'

/**
 * IPv4 ranges that are not public unicast, from the IANA special-purpose address registry (RFC 6890 and its updates).
 */
const forbiddenIpv4 = ranges(
  '0.0.0.0/8', // "this network": 0.0.0.0 reaches the machine itself
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, includes the metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, includes broadcast
)

/**
 * The only part of IPv6 allocated as public unicast. Everything else (loopback, fc00::/7, fe80::/10, …) lies outside
 * it.
 */
const globalIpv6 = ranges('2000::/3')

const forbiddenIpv6 = ranges(
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID, DRIP
  '2001:db8::/32', // documentation
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
)

const sixToFour = ranges('2002::/16')
const nat64 = ranges('64:ff9b::/96')

/**
 * Whether an address is anything but plainly public: this machine, its networks, metadata services, reserved space, or
 * text that is not an address. An address that embeds an IPv4 address is judged by that one.
 */
export function isForbidden(ip: string): boolean {
  const address = parseIp(ip)
  return address === null || isForbiddenAddress(address)
}

function isForbiddenAddress(address: IpAddress): boolean {
  const within = (list: typeof globalIpv6) => list.some((range) => isWithin(address, range))
  if (address.family === 4) return within(forbiddenIpv4)
  // RFC 6052: a machine with IPv6 only reaches public IPv4 this way.
  if (within(nat64)) return isForbiddenAddress({ family: 4, value: lowest32(address.value) })
  // RFC 3056: the IPv4 address follows the first 16 bits.
  if (within(sixToFour)) return isForbiddenAddress({ family: 4, value: lowest32(address.value >> 80n) })
  return !within(globalIpv6) || within(forbiddenIpv6)
}
