/** The state that each trigger leads to. A move that is not in the table cannot happen. */
export type TransitionTable<State extends string, Trigger extends string> = {
  readonly [From in State]: { readonly [On in Trigger]?: State }
}

/** The state that `trigger` leads to, or null when the table has no such move. */
export function nextState<State extends string, Trigger extends string>(
  table: TransitionTable<State, Trigger>,
  from: State,
  trigger: Trigger,
): State | null {
  return table[from][trigger] ?? null
}
