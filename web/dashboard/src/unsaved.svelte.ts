import { getDesk } from './desk.svelte.ts'

/**
 * Asks before a filled form is left, by a link, the back button, or by closing the window. `filled` is what the form holds, as
 * text. Call it while a component is being created.
 */
export function guardUnsaved(filled: () => string): {
  /** What it holds now is saved, or what it started with. */
  saved(): void
} {
  const desk = getDesk()
  const { t, router } = desk
  let kept = $state.raw(filled())
  const isUnsaved = $derived(filled() !== kept)

  const ask = async () => {
    const says = [t('unsaved_text')]
    return (
      (await desk.questions.confirm({
        title: t('unsaved_title'),
        says,
        action: t('unsaved_leave'),
        dangerous: true,
      })) !== null
    )
  }
  $effect(() => {
    if (!isUnsaved) return
    router.leaving = ask
    // The browser asks in its own words; pages have no say in them.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => {
      if (router.leaving === ask) router.leaving = null
      window.removeEventListener('beforeunload', warn)
    }
  })
  return {
    saved() {
      kept = filled()
      if (router.leaving === ask) router.leaving = null
    },
  }
}
