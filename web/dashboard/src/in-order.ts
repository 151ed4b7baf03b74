/**
 * Values of the contract in display order. Takes `Record<Value, true>`, so that a missing or surplus value does not
 * compile.
 */
export function inOrder<Value extends string>(values: Readonly<Record<Value, true>>): Value[] {
  return Object.keys(values) as Value[]
}
