/** A colour's red, green and blue, 0 to 255. */
type Rgb = readonly [number, number, number]

/** The accent in one colour scheme: a surface, the text on it, and the accent as text colour on the page. */
export type Accent = { readonly surface: string; readonly onSurface: string; readonly ink: string }

/** The backgrounds of cards and of the page; the same as in `tokens.css`. */
const papers = { light: ['#ffffff', '#f3f5f8'], dark: ['#171d25', '#0d1117'] } as const
const ours = '#1f5fd0'

// WCAG 2.2 requires 4.5 for text; a little more leaves room for rounding.
const readable = 4.6
// A button is identified by its text; its surface only has to be visible.
const visible = 1.6
const steps = 50

/**
 * Makes the merchant's colour usable: text on it and text in it is readable in both schemes, however pale or dark it
 * is. Without one the page uses its default accent.
 */
export function accentFor(colour: string | null): { readonly light: Accent; readonly dark: Accent } {
  const wanted = colour !== null && /^#[0-9a-f]{6}$/i.test(colour) ? colour.toLowerCase() : ours
  return { light: accentOn(wanted, papers.light), dark: accentOn(wanted, papers.dark) }
}

/** The contrast of two colours by WCAG 2.2: 1 for none, 21 for black on white. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(parse(one)), luminance(parse(other))]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function accentOn(colour: string, on: readonly string[]): Accent {
  const surface = until(colour, on, visible)
  return {
    surface,
    onSurface: contrast(surface, '#ffffff') >= contrast(surface, '#000000') ? '#ffffff' : '#000000',
    ink: until(colour, on, readable),
  }
}

/** The colour, moved away from the backgrounds just far enough to have this contrast with all of them. */
function until(colour: string, on: readonly string[], wanted: number): string {
  const away = on.every((paper) => luminance(parse(paper)) > 0.5) ? '#000000' : '#ffffff'
  for (let step = 0; step < steps; step++) {
    const candidate = mix(colour, away, step / steps)
    if (on.every((paper) => contrast(candidate, paper) >= wanted)) return candidate
  }
  return away
}

function mix(from: string, to: string, share: number): string {
  const [a, b] = [parse(from), parse(to)]
  const mixed = a.map((part, index) => Math.round(part + ((b[index] ?? 0) - part) * share))
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function parse(colour: string): Rgb {
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}
