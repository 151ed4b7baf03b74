import type { ProofMethod } from './api/client.ts'

/** A question to answer before anything is done. */
export type Confirmation = {
  readonly title: string
  /** Exactly what will happen, one sentence per line. */
  readonly says: readonly string[]
  readonly action: string
  readonly dangerous?: boolean
  /** Asks for a reason, which is passed on. */
  readonly reason?: string
}

type Open<Question, Answer> = { readonly question: Question; readonly answer: (answer: Answer) => void }

/** The dialogs that any part of the page can open, one of each kind at a time. */
export class Questions {
  confirmation = $state.raw<Open<Confirmation, string | null> | null>(null)
  proof = $state.raw<Open<readonly ProofMethod[], boolean> | null>(null)

  /** The reason, empty if none was asked for; null if the user declined. */
  confirm(question: Confirmation): Promise<string | null> {
    return new Promise((resolve) => {
      this.confirmation?.answer(null)
      this.confirmation = {
        question,
        answer: (answer) => {
          this.confirmation = null
          resolve(answer)
        },
      }
    })
  }

  #asking: Promise<boolean> | null = null

  /** Asks for a fresh proof. Concurrent calls that need one share one dialog. */
  prove(methods: readonly ProofMethod[]): Promise<boolean> {
    this.#asking ??= new Promise<boolean>((resolve) => {
      this.proof = {
        question: methods,
        answer: (proved) => {
          this.proof = null
          this.#asking = null
          resolve(proved)
        },
      }
    })
    return this.#asking
  }
}
