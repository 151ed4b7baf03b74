/** The largest picture that a payment page is to load, in bytes. */
export const maxLogoBytes = 64 * 1024
export const maxEmbedOrigins = 20

const colourPattern = /^#[0-9a-f]{6}$/
// Names and numbers only: what stands here becomes part of a Content-Security-Policy, where others have a meaning.
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/
const localHosts = ['localhost', '127.0.0.1', '[::1]']

/** A colour as `#rrggbb`, in lower case; null when it is none. */
export function readColour(text: string): string | null {
  const colour = text.toLowerCase()
  return colourPattern.test(colour) ? colour : null
}

/** An origin that may show a payment page in a frame: https, or http on the machine itself. Null when it is none. */
export function readEmbedOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, host, hostname, origin, pathname, search, hash, username, password } = new URL(text)
  const isPlain = pathname === '/' && `${search}${hash}${username}${password}` === ''
  const isSafe = protocol === 'https:' || (protocol === 'http:' && localHosts.includes(hostname))
  return isPlain && isSafe && hostPattern.test(host) ? origin : null
}

const signatures: Readonly<Record<string, RegExp>> = {
  // PNG begins with a byte that no text has, and with all ends of lines that a careless copy would change.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how PNG begins
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
}
const longestSignature = 12

/**
 * What kind of picture these bytes are, by how they begin; null when they are none that we serve. SVG is none: it can
 * hold scripts.
 */
export function imageType(bytes: Buffer): string | null {
  const beginning = bytes.toString('latin1', 0, longestSignature)
  return Object.keys(signatures).find((mediaType) => signatures[mediaType]?.test(beginning)) ?? null
}
