import type { ShownProof } from '@sluice/web/contract'
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

/** A factor shown for one action alone, which is done with it. It says what the user confirms. */
export type ProvenAction = {
  readonly title: string
  readonly says: string
  readonly action: string
  /** Does it; throws if the factor, or the action, is refused. */
  readonly perform: (shown: ShownProof | 'passkey') => Promise<void>
}

export type ProofQuestion = {
  readonly methods: readonly ProofMethod[]
  /** Null: the session as a whole. */
  readonly of: ProvenAction | null
}

type Open<Question, Answer> = { readonly question: Question; readonly answer: (answer: Answer) => void }

/** The dialogs that any part of the page can open, one of each kind at a time. */
export class Questions {
  confirmation = $state.raw<Open<Confirmation, string | null> | null>(null)
  discarding = $state.raw<Open<Confirmation, string | null> | null>(null)
  proof = $state.raw<Open<ProofQuestion, boolean> | null>(null)

  signingIn = $state.raw<{ readonly answer: (signedIn: boolean) => void } | null>(null)

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

  /** Whether to drop what was typed. It may be asked over another question. */
  discard(question: Confirmation): Promise<boolean> {
    return new Promise((resolve) => {
      this.discarding?.answer(null)
      this.discarding = {
        question,
        answer: (answer) => {
          this.discarding = null
          resolve(answer !== null)
        },
      }
    })
  }

  #asking: Promise<boolean> | null = null

  /** Asks for a fresh proof. Concurrent calls that need one share one dialog. */
  prove(methods: readonly ProofMethod[]): Promise<boolean> {
    this.#asking ??= this.#ask({ methods, of: null }).finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  /** Does an action with a factor that is shown for it; false if the user declined. */
  proveFor(methods: readonly ProofMethod[], of: ProvenAction): Promise<boolean> {
    return this.#ask({ methods, of })
  }

  #signingIn: Promise<boolean> | null = null

  /** Asks the user to sign in where they are; false if they declined. Concurrent calls share one dialog. */
  signIn(): Promise<boolean> {
    this.#signingIn ??= new Promise<boolean>((resolve) => {
      this.signingIn = {
        answer: (signedIn) => {
          this.signingIn = null
          this.#signingIn = null
          resolve(signedIn)
        },
      }
    })
    return this.#signingIn
  }

  #ask(question: ProofQuestion): Promise<boolean> {
    return new Promise((resolve) => {
      this.proof?.answer(false)
      this.proof = {
        question,
        answer: (proved) => {
          this.proof = null
          resolve(proved)
        },
      }
    })
  }
}
