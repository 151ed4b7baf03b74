import { isOutside } from './outside.ts'

// Runs before anything is drawn, so that nothing is drawn that has to change at once: neither the colours nor the shape.
{
  const page = document.documentElement
  const kept = localStorage.getItem('sluice.theme')
  if (kept === 'light' || kept === 'dark') page.dataset.theme = kept
  const { pathname } = location
  const isInside = localStorage.getItem('sluice.inside') !== null && !isOutside(pathname)
  page.dataset.first = !isInside ? 'door' : /\/test(?:\/|$)/.test(pathname) ? 'test' : 'shell'
  // Without the script nothing else would say that nothing comes.
  const failed = ({ target }: Event) => {
    if (!(target instanceof HTMLScriptElement) || target.type !== 'module') return
    page.dataset.first = 'away'
    document.querySelector('.first-away button')?.addEventListener('click', () => location.reload())
  }
  addEventListener('error', failed, true)
}
