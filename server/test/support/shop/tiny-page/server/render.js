/** A page that only holds its state, where what serves it is tested. */
export const languageFor = (asked) => (asked === 'de' ? 'de' : 'en')

export function render(state, nonce) {
  const text = JSON.stringify(state).replaceAll('<', '\\u003c')
  return `<!doctype html><style nonce="${nonce}"></style><script type="application/json" id="state">${text}</script>`
}
