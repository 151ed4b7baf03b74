/** A page that only contains its state, for tests of the code that serves it. */
export const languageFor = (asked) => (asked === 'de' ? 'de' : 'en')

export function render(state, nonce) {
  const text = JSON.stringify(state).replaceAll('<', '\\u003c')
  return `<!doctype html><style nonce="${nonce}"></style><script type="application/json" id="state">${text}</script>`
}
