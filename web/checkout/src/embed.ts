import type { Session } from './session.svelte.ts'

/**
 * Tells the frame around the page how tall it is and which phase it shows: `{type: 'sluice.checkout', phase, height}`.
 * The page is never told who its parent is (it gets no Referer), so this goes to whoever frames it. Only origins that the
 * merchant lists can, and neither value is a secret. A shop still has to ask the service whether it was paid.
 */
export function tellParent(session: Session): void {
  if (window.parent === window) return
  let last = ''
  const tell = () => {
    const message = {
      type: 'sluice.checkout',
      phase: session.phase ?? session.problem,
      height: Math.ceil(document.documentElement.getBoundingClientRect().height),
    }
    const text = JSON.stringify(message)
    if (text === last) return
    last = text
    window.parent.postMessage(message, '*')
  }
  // Whatever changes the phase changes what is drawn, and nearly always the height.
  new ResizeObserver(tell).observe(document.documentElement)
  new MutationObserver(tell).observe(document.body, { childList: true, subtree: true, characterData: true })
  tell()
}
