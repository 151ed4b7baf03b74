import { getDesk } from './desk.svelte.ts'

/**
 * Asks before a filled form is left, by a link, the back button, or by closing the window. `filled` is what the form holds, as
 * text; null if nothing would be lost. Call it while a component is being created.
 */
export function guardUnsaved(filled: () => string | null): {
  readonly isUnsaved: boolean
  /** Asks whether to drop it. True: drop it. */
  ask(): Promise<boolean>
  /** What it holds now is saved, or what it started with. */
  saved(): void
} {
  const desk = getDesk()
  const { t, router } = desk
  let kept = $state.raw(filled())
  let release = () => {}
  const isUnsaved = $derived.by(() => {
    const holds = filled()
    return holds !== null && holds !== kept
  })

  const ask = () =>
    desk.questions.discard({
      title: t('unsaved_title'),
      says: [t('unsaved_text')],
      action: t('unsaved_leave'),
      dangerous: true,
    })
  $effect(() => {
    if (!isUnsaved) return
    release = router.guard(ask)
    // The browser asks in its own words; pages have no say in them.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => {
      release()
      window.removeEventListener('beforeunload', warn)
    }
  })
  return {
    get isUnsaved() {
      return isUnsaved
    },
    ask,
    saved() {
      kept = filled()
      release()
    },
  }
}
