const dark = window.matchMedia('(prefers-color-scheme: dark)')
let preferred = $state<'light' | 'dark'>(dark.matches ? 'dark' : 'light')
let chosen = $state<string | undefined>(document.documentElement.dataset.theme)
dark.addEventListener('change', ({ matches }) => {
  preferred = matches ? 'dark' : 'light'
})

/** The colour scheme that is seen: the one chosen here, else the one the system prefers. */
export function themeShown(): 'light' | 'dark' {
  return chosen === 'light' || chosen === 'dark' ? chosen : preferred
}

/** Changes to the other one. Who goes back to what the system prefers follows the system again. */
export function switchTheme(): void {
  const next = themeShown() === 'dark' ? 'light' : 'dark'
  if (next === preferred) {
    chosen = undefined
    delete document.documentElement.dataset.theme
    localStorage.removeItem('sluice.theme')
  } else {
    chosen = next
    document.documentElement.dataset.theme = next
    localStorage.setItem('sluice.theme', next)
  }
}
