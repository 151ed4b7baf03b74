import type { Page } from 'playwright-core'

/** Each colour of text that is visible, with what is behind it and whether it is large: what contrast depends on. */
const script = `(() => {
  const found = new Set()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { data, parentElement: element } = texts.currentNode
    const box = element.getBoundingClientRect()
    // Texts for screen readers are a pixel wide.
    if (data.trim() === '' || box.width <= 1 || !element.checkVisibility({ visibilityProperty: true })) continue
    const { color, fontSize, fontWeight } = getComputedStyle(element)
    const behind = []
    for (let above = element; above !== null; above = above.parentElement) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(above)
      if (opacity !== '1') behind.push('at ' + opacity)
      if (backgroundImage !== 'none') behind.push('an image')
      if (backgroundColor !== 'rgba(0, 0, 0, 0)') behind.push('on ' + backgroundColor)
      if (/^rgb\\(/.test(backgroundColor)) break
    }
    const size = Number.parseFloat(fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700)
    found.add([color, ...behind, ...(isLarge ? ['large'] : [])].join(' '))
  }
  return [...found]
})()`

/**
 * Measuring contrast is half of what axe does. It is measured on some pages; this says whether they have all the colours that
 * the others have.
 */
export function watchColours() {
  const measured = new Set<string>()
  const met = new Map<string, string>()
  return {
    /** Notes the colours of a page in its present state. */
    async look(page: Page, name: string, isMeasured: boolean): Promise<void> {
      for (const colours of (await page.evaluate(script)) as string[])
        if (isMeasured) measured.add(colours)
        else met.set(colours, name)
    },
    /** The colours whose contrast was not measured, each with a page that has them. */
    unmeasured: () =>
      [...met].filter(([colours]) => !measured.has(colours)).map(([colours, name]) => `${name}: ${colours}`),
  }
}
