import type { ProofMethod } from './api/client.ts'

/** A question that needs an answer before anything is done. */
export type Confirmation = {
  readonly title: string
  /** Exactly what will happen, one sentence a line. */
  readonly says: readonly string[]
  readonly action: string
  readonly dangerous?: boolean
  /** Asks for a reason, which is handed on. */
  readonly reason?: string
}

type Open<Question, Answer> = { readonly question: Question; readonly answer: (answer: Answer) => void }

/** The dialogs that any part of the page can open; one of each kind at a time. */
export class Questions {
  confirmation = $state.raw<Open<Confirmation, string | null> | null>(null)
  proof = $state.raw<Open<readonly ProofMethod[], boolean> | null>(null)

  /** The reason, empty where none was asked for; null when the person thought better of it. */
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

  /** Asks for a fresh proof. Calls that need one at the same time share one question. */
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
