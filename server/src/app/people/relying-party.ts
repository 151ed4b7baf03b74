import { isIP } from 'node:net'
import { ServiceError } from '../../domain/errors.ts'
import { relyingPartyOf } from '../../domain/relying-party.ts'

/** The relying party of passkeys (WebAuthn Level 3, §5.1.3): the host name, and the origin of its pages. */
export type RelyingParty = { readonly id: string; readonly origin: string }

/**
 * The relying party of a service at `url`. On the local machine it is `localhost`, which browsers trust without https.
 * Throws a readable error where browsers do not create passkeys.
 */
export function relyingParty(url: string): RelyingParty {
  const { protocol, hostname } = new URL(url)
  const { id, origins } = relyingPartyOf(url)
  const [origin = ''] = origins
  if (id === 'localhost') return { id, origin }
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0 || protocol !== 'https:')
    throw new ServiceError(
      'invalid_state',
      'Browsers create passkeys only for a host name reached by https. The operator of the service must set SLUICE_PUBLIC_URL to such an address.',
      ['/: passkeys need https and a host name'],
    )
  return { id, origin }
}

/** Throws a readable error if the calling page is open at a host other than the relying party. */
export function demandHost({ id, origin }: RelyingParty, host: string): void {
  const [name = ''] = /^\[[^\]]*\]|^[^:]*/.exec(host) ?? []
  if (name.toLowerCase() === id) return
  throw new ServiceError(
    'invalid_state',
    `Passkeys of this service belong to ${id}, but this page is open at ${name}. Open ${origin}/dashboard and try again there.`,
    [`/: must be requested at ${origin}`],
  )
}
