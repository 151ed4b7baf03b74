import type { Session } from '@sluice/web/contract'
import { type AssetRegistry, networkNames } from '../../../domain/assets.ts'
import { freshUntil, type Person } from '../../../domain/people.ts'
import { powersOf } from '../../../domain/roles.ts'
import type { Membership } from '../../../store/people/users.ts'
import { time } from '../values.ts'

/** What the dashboard knows about the signed-in user. */
export function sessionView(
  person: Person,
  { memberships, recoveryCodesLeft }: { memberships: readonly Membership[]; recoveryCodesLeft: number },
  assets: AssetRegistry,
  now: Date,
): Session {
  return {
    user_id: person.userId,
    email: person.email,
    name: person.name,
    language: person.language,
    is_operator: person.isOperator,
    must_change_password: person.mustChangePassword,
    second_factors: [...person.secondFactors],
    recovery_codes_left: recoveryCodesLeft,
    proof_fresh_until: time(freshUntil(person, now)),
    memberships: memberships.map(({ merchantId, merchantName, role }) => ({
      merchant_id: merchantId,
      merchant_name: merchantName,
      role,
      powers: [...powersOf[role]],
    })),
    network_names: networkNames(assets),
  }
}
