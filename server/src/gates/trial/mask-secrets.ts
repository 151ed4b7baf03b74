// Shorter parts of a URL are masked only as words of their own, or they would be found everywhere.
const leastAnywhere = 4
// What users and paths of public and usual servers say, which is no secret. A password is always masked.
const plainWords =
  /^(v\d|api|rpc|jsonrpc|ext|bc|c|eth|evm|btc|ltc|sol|xrp|node|user|sluice|(bit|lite)coin|ethereum|solana|mainnet|mainnet-beta|testnet|devnet)$/i

/** Removes the secret parts of these URLs from a text: user, password, path and query. */
export function masking(urls: readonly string[]): (text: string) => string {
  const secrets = new Set(urls.flatMap(secretsIn))
  const patterns = [...secrets]
    .toSorted((one, other) => other.length - one.length)
    .map((secret) => {
      const escaped = secret.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
      const pattern =
        secret.length < leastAnywhere ? `(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])` : escaped
      return new RegExp(pattern, 'giu')
    })
  return (text) => patterns.reduce((shown, pattern) => shown.replace(pattern, '…'), text)
}

function secretsIn(given: string): string[] {
  const { username, password, pathname, search, hash } = new URL(given)
  const open = [username, ...pathname.split('/')].filter((part) => !plainWords.test(part))
  const query = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
  const parts = [...open, password, ...query, hash.slice(1)]
  const login = `${decoded(username)}:${decoded(password)}`
  const inHeader = username === '' ? '' : Buffer.from(login).toString('base64')
  return [...parts, ...parts.map(decoded), inHeader].filter((part) => part !== '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not percent-encoded.
    return text
  }
}
