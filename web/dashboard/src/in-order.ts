/**
 * Values of the contract in the order in which a page shows them. Given `Record<Value, true>`, so that one too many or too
 * few does not compile.
 */
export function inOrder<Value extends string>(values: Readonly<Record<Value, true>>): Value[] {
  return Object.keys(values) as Value[]
}
