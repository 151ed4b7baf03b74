import { type IpRange, isWithin, parseIp, parseRange } from './ip-address.ts'

/** The IP ranges that these texts name, and a problem for each text that is not one. */
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

/** Whether this IP address is in one of the ranges; false for anything that is not an IP address. */
export function isAtPlace(ranges: readonly IpRange[], ip: string): boolean {
  const address = parseIp(ip)
  return address !== null && ranges.some((range) => isWithin(address, range))
}
