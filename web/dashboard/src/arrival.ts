import type { Attachment } from 'svelte/attachments'
import type { Router } from './router.svelte.ts'

/** After following a link, a user reads on from the new page's title, however long it took to load. */
export function arrival(router: Router): Attachment<HTMLElement> {
  return (title) => {
    if (!router.arriving) return
    router.arriving = false
    title.focus({ preventScroll: true })
  }
}
