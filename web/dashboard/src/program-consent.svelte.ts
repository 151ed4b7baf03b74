import type { RefusedError } from './api/errors.ts'

/**
 * Consent to paying an address that a program controls. It is asked for once the service has refused the address without
 * it, and counts for that address alone.
 */
export class ProgramConsent {
  allowed = $state(false)
  readonly #address: () => string
  #refused = $state<string | null>(null)

  constructor(address: () => string) {
    this.#address = address
  }

  get isAsked(): boolean {
    return this.#refused !== null && this.#refused === this.#address().trim()
  }

  /** What a request says about it. */
  get body(): { allow_program_address?: true } {
    return this.isAsked && this.allowed ? { allow_program_address: true } : {}
  }

  /** Takes in a refusal of the present address. */
  hear(error: RefusedError): void {
    if (error.problemWith('allow_program_address') === null) return
    if (!this.isAsked) this.allowed = false
    this.#refused = this.#address().trim()
  }
}
