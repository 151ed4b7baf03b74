/** Does something for each in turn. A failure keeps none of the others from their turn; the first one is thrown at the end. */
export async function eachInTurn<T>(all: Iterable<T>, does: (each: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const each of all) await does(each).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
