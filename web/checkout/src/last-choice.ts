const key = 'sluice.asset'

/** What the payer of this device chose last, as the form's value; null where nothing is kept. */
export function lastChoice(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Browsers may forbid a page to keep anything, above all in a frame of another site.
    return null
  }
}

/** Keeps a choice on this device. It says nothing about the invoice. */
export function keepChoice(value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Then the next payment starts without it.
  }
}
