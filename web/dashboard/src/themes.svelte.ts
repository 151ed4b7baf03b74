const dark = window.matchMedia('(prefers-color-scheme: dark)')
let preferred = $state<'light' | 'dark'>(dark.matches ? 'dark' : 'light')
let chosen = $state<string | undefined>(document.documentElement.dataset.theme)
dark.addEventListener('change', ({ matches }) => {
  preferred = matches ? 'dark' : 'light'
})

/** The colour scheme in use: the one chosen here, else the system's preference. */
export function themeShown(): 'light' | 'dark' {
  return chosen === 'light' || chosen === 'dark' ? chosen : preferred
}

/** Switches to the other one. A user who returns to the system's preference follows the system again. */
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
