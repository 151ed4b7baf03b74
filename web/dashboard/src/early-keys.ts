/** What was typed while the command palette was still loading. It starts with that. */
export type EarlyKeys = { text: string; isEntered: boolean; isCancelled: boolean }

export const noKeys = (): EarlyKeys => ({ text: '', isEntered: false, isCancelled: false })

/** Adds a key that was pressed, if it belongs into the field of the palette. */
export function takeKey(keys: EarlyKeys, event: KeyboardEvent): void {
  if (event.key === 'Escape') keys.isCancelled = true
  else if (event.key === 'Enter') keys.isEntered = true
  else if (event.key === 'Backspace') keys.text = keys.text.slice(0, -1)
  else if ([...event.key].length === 1) keys.text += event.key
  else return
  event.preventDefault()
}
