import type { Environment } from './environment.ts'
import type { Permission } from './permissions.ts'

/** Who asks: a merchant in one environment, with what its key allows. Every merchant-facing query filters through it. */
export type Caller = {
  readonly keyId: string
  readonly merchantId: string
  readonly environment: Environment
  readonly permissions: ReadonlySet<Permission>
}
