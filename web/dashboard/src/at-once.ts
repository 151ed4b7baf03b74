/**
 * Does the same with every item, in their order, with a limited number at work together. Stops with the first error that ends
 * all of it.
 */
export async function eachAtOnce<Item>(
  items: readonly Item[],
  mostAtOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  let isEnded = false
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined && !isEnded; item = waiting.shift())
      await work(item).catch((error: unknown) => {
        isEnded = true
        throw error
      })
  }
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, items.length) }, worker))
}
