import type { Operations as PublicOperations } from '@sluice/sdk/contract'
import type { Operations } from '@sluice/web/contract'
import type { Arrival } from '../../app/people/arrival.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Person } from '../../domain/people.ts'
import type { InputOf, OperationIdUnder } from '../contract.ts'
import type { DataOf, Reply, Streamed } from '../reply.ts'

/** Operations of the dashboard alone. Those shared with API keys have their handlers there. */
export type DashboardOperationId = Exclude<
  OperationIdUnder<Operations, '/dashboard-api/'>,
  keyof PublicOperations
>

// A request admitted without a session has no person yet; an operation below a merchant's environment has a caller.
type Asking<Url> = {
  readonly person: Person
  readonly from: Arrival
  readonly caller: Url extends `/dashboard-api/merchants/{merchantID}/{environment}/${string}` ? Caller : null
}

/** One handler for each of the dashboard's own operations. */
export type DashboardHandlers = {
  readonly [Id in DashboardOperationId]: (
    request: InputOf<Operations[Id]['request']> & Asking<Operations[Id]['request']['url']>,
  ) => AnswerOf<Id> | Promise<AnswerOf<Id>>
}

type AnswerOf<Id extends DashboardOperationId> = Reply<DataOf<Operations[Id]['responses']>> | Streamed
