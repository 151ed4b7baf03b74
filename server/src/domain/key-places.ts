import { type IpRange, isWithin, parseIp, parseRange } from './ip-address.ts'

/** The ranges that these texts name; `problems` says of each that is none what is wrong with it. */
export function readKeyPlaces(texts: readonly string[]): { ranges: IpRange[]; problems: string[] } {
  const ranges: IpRange[] = []
  const problems: string[] = []
  for (const [at, text] of texts.entries()) {
    const range = parseRange(text)
    if (range === null)
      problems.push(`/allowed_ips/${at}: must be an IP address, or a CIDR such as 203.0.113.0/24`)
    else ranges.push(range)
  }
  return { ranges, problems }
}

/** Whether a request from this address comes from one of the places; what is no address comes from none. */
export function isAtPlace(ranges: readonly IpRange[], ip: string): boolean {
  const address = parseIp(ip)
  return address !== null && ranges.some((range) => isWithin(address, range))
}
