import type { Destination, NewDestination, Policy } from '@sluice/web/contract'
import { addDestination, getDestinationChallenge } from '@sluice/web/operations'
import { usePasskey } from './api/passkeys.ts'
import type { Desk } from './desk.svelte.ts'

/** Where money goes to: the parts of a destination that say so. */
export type Place = Pick<NewDestination, 'network' | 'address' | 'tag' | 'allow_program_address'>

/** What a passkey has to sign about a destination, under a policy that wants it; else nothing. */
export async function signedFor(
  { api }: Desk,
  policy: Policy,
  { network, address, tag, allow_program_address: allowed }: Place,
  isAllowed: boolean,
) {
  if (policy.weakening_delay_hours === null || policy.approval !== 'passkey') return {}
  const { options, at } = await api.call(getDestinationChallenge, {
    body: {
      network,
      address,
      ...(tag !== undefined && { tag }),
      ...(allowed !== undefined && { allow_program_address: allowed }),
      is_allowed: isAllowed,
    },
  })
  return { signed_at: at, assertion: await usePasskey(options) }
}

/** Saves a recipient under a name, or renames a saved one. False if the policy wants it to be approved first. */
export async function saveRecipient(
  desk: Desk,
  policy: Policy,
  place: Place,
  name: string,
): Promise<boolean> {
  const { pending_change } = await desk.api.call(addDestination, {
    body: { ...place, ...(name !== '' && { label: name }), ...(await signedFor(desk, policy, place, true)) },
  })
  return pending_change === null
}

/** The saved recipient at this address, if there is one. */
export function recipientAt(
  saved: readonly Destination[] | null,
  network: string,
  address: string,
  tag: string,
): Destination | undefined {
  const wanted = recipientKey({ network, address: address.trim(), tag: tag.trim() || null })
  return saved?.find((each) => recipientKey(each) === wanted)
}

/** What identifies a saved recipient. */
export function recipientKey({
  network,
  address,
  tag,
}: Pick<Destination, 'network' | 'address' | 'tag'>): string {
  return `${network} ${address} ${tag ?? ''}`
}
