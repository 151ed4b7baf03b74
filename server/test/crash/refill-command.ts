import type { App } from '../../src/app/app.ts'
import { prepareAccountRefill } from '../../src/app/spends/cold/prepare-account-refill.ts'
import { prepareRefill } from '../../src/app/spends/cold/prepare-refill.ts'
import { submitAccountRefill } from '../../src/app/spends/cold/submit-account-refill.ts'
import { submitRefill } from '../../src/app/spends/cold/submit-refill.ts'
import { giveUpMove } from '../../src/app/spends/settling/give-up-move.ts'
import { ServiceError } from '../../src/domain/errors.ts'

/** A command of the operator's that writes. Files are in base64. */
export type RefillCommand =
  | { readonly kind: 'prepare'; readonly from: 'coins'; readonly gateId: string; readonly amount: string }
  | {
      readonly kind: 'prepare'
      readonly from: 'account'
      readonly gateId: string
      readonly amount: string
      readonly currency: string
    }
  | { readonly kind: 'submit'; readonly from: 'coins' | 'account'; readonly file: string }
  | { readonly kind: 'give-up'; readonly id: string }

/** The refill that a command was about, or why it was refused. */
export type Said = { readonly id: string } | { readonly refused: string }

const by = { actor: 'cli:ada', name: 'ada', ip: null, userAgent: null }

/** Runs a command. A refusal is an answer too. */
export async function obey(app: App, command: RefillCommand): Promise<Said> {
  try {
    return { id: await refillOf(app, command) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { refused: error.message }
  }
}

async function refillOf(app: App, command: RefillCommand): Promise<string> {
  switch (command.kind) {
    case 'prepare': {
      const wanted = { ...command, by }
      const prepare = wanted.from === 'coins' ? prepareRefill : prepareAccountRefill
      return (await prepare(app, wanted)).id
    }
    case 'submit': {
      const submit = command.from === 'coins' ? submitRefill : submitAccountRefill
      return (await submit(app, Buffer.from(command.file, 'base64'), by)).id
    }
    case 'give-up':
      await giveUpMove(app, command.id, { by, deadSpendId: null })
      return command.id
  }
}
