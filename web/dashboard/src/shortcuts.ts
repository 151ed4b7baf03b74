import type { Desk } from './desk.svelte.ts'
import { type Place, places } from './places.ts'

const chordWithinMs = 1_200

export type ShortcutTarget = {
  /** Opens a place of the menu, if the user may go there. */
  readonly open: (place: Place) => void
  readonly help: () => void
  /** Opens the command palette, or closes it. */
  readonly find: () => void
  /** Moves within the table by this many rows. */
  readonly move: (rows: 1 | -1) => void
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
/** The keys of the command palette, as keyboards of the user's language name them. */
export const paletteKeys = (t: Desk['t']): string => (isApple ? '⌘K' : `${t('key_control')} K`)

/**
 * Listens for the dashboard's shortcuts: ⌘K or Ctrl+K anywhere, and while no field has the focus `g` and a letter, `/`, `?`, `j`
 * and `k`.
 */
export function shortcuts(target: ShortcutTarget): (event: KeyboardEvent) => void {
  const byLetter = new Map(
    places.flatMap((group) => group.places).flatMap((place) => (place.letter ? [[place.letter, place]] : [])),
  ) as ReadonlyMap<string, Place>
  let goPressedAtMs = Number.NEGATIVE_INFINITY
  return (event) => {
    if (isPaletteKey(event)) {
      event.preventDefault()
      target.find()
      return
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
    const place = byLetter.get(event.key)
    const isChord = event.timeStamp - goPressedAtMs < chordWithinMs
    goPressedAtMs = Number.NEGATIVE_INFINITY
    if (isChord && place !== undefined) target.open(place)
    else if (event.key === 'g') goPressedAtMs = event.timeStamp
    else if (event.key === '/') target.find()
    else if (event.key === '?') target.help()
    else if (event.key === 'j') target.move(1)
    else if (event.key === 'k') target.move(-1)
    else return
    event.preventDefault()
  }
}

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k'
}

function isTyping({ target }: KeyboardEvent): boolean {
  const element = target as Element | null
  return element?.closest('input, textarea, select, [contenteditable], dialog') != null
}

/** Focuses the next or previous row of the table; the first one if none has the focus. */
export function moveInTable(rows: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a.row-link')]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  const next = at === -1 ? links[0] : links[Math.min(links.length - 1, Math.max(0, at + rows))]
  next?.focus()
  next?.closest('tr')?.scrollIntoView({ block: 'nearest' })
}
