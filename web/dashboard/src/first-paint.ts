const keptUnder = 'sluice.inside'
const skeleton = document.getElementById('first-paint')
let covers = 0

/** Hides the skeleton that the page began with, while something is shown in its place. Returns what shows it again. */
export function coverFirstPaint(): () => void {
  const cover = (by: number) => {
    covers += by
    if (skeleton !== null) skeleton.hidden = covers > 0
  }
  cover(1)
  return () => {
    cover(-1)
    // What is shown next, after signing out for example, stands alone.
    if (covers === 0) document.documentElement.dataset.first = 'door'
  }
}

/** Says to screen readers that the page is loading, in the language of the page. */
export function sayLoading(text: string): void {
  const status = skeleton?.querySelector('[role=status]')
  if (status) status.textContent = text
}

/** Remembers whether someone is signed in here: the next page to load then begins in the shape that is likely to come. */
export function rememberInside(isInside: boolean): void {
  if (isInside) localStorage.setItem(keptUnder, 'yes')
  else localStorage.removeItem(keptUnder)
}
