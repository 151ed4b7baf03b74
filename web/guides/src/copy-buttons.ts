const shownMs = 2_000

/** Gives every block of code a button that copies it. */
export function addCopyButtons(page: Document): void {
  if (navigator.clipboard === undefined) return
  for (const block of page.querySelectorAll('pre')) {
    const button = page.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      const done = await navigator.clipboard.writeText(block.textContent ?? '').then(
        () => true,
        () => false,
      )
      button.textContent = done ? 'Copied' : 'Select and copy it by hand'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, shownMs)
    })
    block.parentElement?.append(button)
  }
}
