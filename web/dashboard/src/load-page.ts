import type { Component } from 'svelte'
import { loadCode } from './load-code.ts'
import { pages } from './pages.ts'
import type { RouteName } from './routes.ts'

const mostOftenMs = 60_000
const lastReload = 'sluice.reloaded'

/** The code of a page. */
export async function loadPage(name: RouteName): Promise<{ default: Component }> {
  return loadCode(pages[name])
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
