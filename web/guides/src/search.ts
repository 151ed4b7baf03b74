/** A part of a guide, from one heading to the next. */
export type Part = {
  /** Its address, with the anchor of its heading. */
  readonly href: string
  readonly guide: string
  /** Empty for what comes before the second heading. */
  readonly heading: string
  readonly text: string
}

export type Found = { readonly part: Part; readonly excerpt: string }

const mostFound = 12
const excerptLength = 140

/** The parts that hold every word of the query, the ones that have it in a heading first. */
export function search(parts: readonly Part[], query: string): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return parts
    .map((part) => ({ part, score: scoreOf(part, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostFound)
    .map(({ part }) => ({ part, excerpt: excerptOf(part.text, words) }))
}

function scoreOf({ guide, heading, text }: Part, words: readonly string[]): number {
  let score = 0
  for (const word of words) {
    const inName = places(guide, word)
    const inHeading = places(heading, word)
    const inText = places(text, word)
    if (inName + inHeading + inText === 0) return 0
    // A long text has every word somewhere; a heading is about it. The start of a guide is about all of it.
    score +=
      20 * Math.min(inHeading, 1) + (heading === '' ? 15 : 4) * Math.min(inName, 1) + Math.min(inText, 2)
  }
  return score
}

function places(text: string, word: string): number {
  return text.toLowerCase().split(word).length - 1
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const at = Math.max(0, Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)))
  const start =
    Number.isFinite(at) && at > excerptLength / 3 ? text.lastIndexOf(' ', at - excerptLength / 3) + 1 : 0
  const cut = text.slice(start, start + excerptLength)
  return `${start > 0 ? '… ' : ''}${cut.trim()}${start + excerptLength < text.length ? ' …' : ''}`
}
