import type { Session } from './session.svelte.ts'

/**
 * Tells the frame around the page its height and phase: `{type: 'sluice.checkout', phase, height}`. The page does not
 * know its parent (it gets no Referer), so the message goes to any frame. Only origins that the merchant lists can
 * embed the page, and neither value is a secret. A shop still has to ask the service whether the invoice was paid.
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
  // A change of phase changes the content and nearly always the height.
  new ResizeObserver(tell).observe(document.documentElement)
  new MutationObserver(tell).observe(document.body, { childList: true, subtree: true, characterData: true })
  tell()
}
