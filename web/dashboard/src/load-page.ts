import type { Component } from 'svelte'
import { UnreachableError } from './api/errors.ts'
import { pages } from './pages.ts'
import type { RouteName } from './routes.ts'

const longestMs = 20_000
const mostOftenMs = 60_000
const lastReload = 'sluice.reloaded'

/** The code of a page. Fails if it does not arrive in time, as when the service is away, or is gone, as after an upgrade. */
export async function loadPage(name: RouteName): Promise<{ default: Component }> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took more than ${longestMs / 1000} seconds.`)), longestMs)
  })
  try {
    return await Promise.race([pages[name](), tooLate])
  } catch (error) {
    throw new UnreachableError('The code of this page cannot be loaded.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Reloads the page if the service answers: after an upgrade the new page loads its own code. By itself at most once a
 * minute, in case the new one cannot be loaded either.
 */
export async function reloadIfAnswering({ isAsked }: { readonly isAsked: boolean }): Promise<void> {
  const last = Number(sessionStorage.getItem(lastReload) ?? 0)
  if (!isAsked && Date.now() - last < mostOftenMs) return
  const answer = await fetch('/dashboard', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  if (answer?.ok !== true) return
  sessionStorage.setItem(lastReload, String(Date.now()))
  location.reload()
}
