import type { ChangeWithdrawal } from '@sluice/web/contract'
import type { Signed } from '../../../app/policy/sign-change.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { readAssertion } from '../../../domain/webauthn.ts'

/** The signature in a request. It admitted the request, so it has to be verified. */
export function signedFrom({ assertion, signed_at: at }: ChangeWithdrawal): Signed | null {
  if (assertion === undefined) return null
  if (at === undefined)
    throw new ServiceError('validation_error', 'An assertion needs the time of its challenge.', [
      '/signed_at: is required with an assertion',
    ])
  return { assertion: readAssertion(assertion), at: new Date(at) }
}
