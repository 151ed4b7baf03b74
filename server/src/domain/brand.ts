/** The largest logo that a payment page may load, in bytes. */
export const maxLogoBytes = 64 * 1024
export const maxEmbedOrigins = 20

const colourPattern = /^#[0-9a-f]{6}$/
// Host names and ports only: the origin goes into a Content-Security-Policy, where other characters have a meaning.
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/
const localHosts = ['localhost', '127.0.0.1', '[::1]']

/** The colour as `#rrggbb` in lower case; null when the text is not a colour. */
export function readColour(text: string): string | null {
  const colour = text.toLowerCase()
  return colourPattern.test(colour) ? colour : null
}

/** An origin that may embed a payment page in a frame: https, or http on localhost. Null for anything else. */
export function readEmbedOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, host, hostname, origin, pathname, search, hash, username, password } = new URL(text)
  const isPlain = pathname === '/' && `${search}${hash}${username}${password}` === ''
  const isSafe = protocol === 'https:' || (protocol === 'http:' && localHosts.includes(hostname))
  return isPlain && isSafe && hostPattern.test(host) ? origin : null
}

const signatures: Readonly<Record<string, RegExp>> = {
  // PNG starts with a non-text byte, and with the line endings that a text-mode copy would change.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how PNG starts
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
}
const longestSignature = 12

/**
 * The media type of an image, judged by its first bytes; null for types that we do not serve. SVG is not served
 * because it can contain scripts.
 */
export function imageType(bytes: Buffer): string | null {
  const beginning = bytes.toString('latin1', 0, longestSignature)
  return Object.keys(signatures).find((mediaType) => signatures[mediaType]?.test(beginning)) ?? null
}
