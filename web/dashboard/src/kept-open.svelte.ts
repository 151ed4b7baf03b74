import { getContext, setContext, untrack } from 'svelte'

const key = Symbol('dialog')

type Holder = { readonly change: (by: 1 | -1) => void }

/** Lets what a dialog contains keep it open. `change` counts. Call it while the dialog is being created. */
export function mayBeKeptOpen(change: (by: 1 | -1) => void): void {
  setContext<Holder>(key, { change })
}

/**
 * Keeps the dialog around a component open while that is shown and needs it: only a button of its own closes it then. For what
 * is never shown again. Call it while the component is being created.
 */
export function keepDialogOpen(isNeeded: () => boolean = () => true): void {
  const holder = getContext<Holder | undefined>(key)
  $effect(() => {
    if (!isNeeded()) return
    untrack(() => holder?.change(1))
    return () => untrack(() => holder?.change(-1))
  })
}
