import { isIP } from 'node:net'
import { ServiceError } from '../../domain/errors.ts'
import { relyingPartyOf } from '../../domain/relying-party.ts'

/** Who passkeys are made for (WebAuthn Level 3, §5.1.3): the name of the host, and the origin of its pages. */
export type RelyingParty = { readonly id: string; readonly origin: string }

/**
 * The relying party of a service that people find at `url`. On the machine itself it is `localhost`, which browsers take for
 * safe without https. Throws in plain words where browsers make no passkeys.
 */
export function relyingParty(url: string): RelyingParty {
  const { protocol, hostname } = new URL(url)
  const { id, origins } = relyingPartyOf(url)
  const [origin = ''] = origins
  if (id === 'localhost') return { id, origin }
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0 || protocol !== 'https:')
    throw new ServiceError(
      'invalid_state',
      'Browsers make passkeys only for a host with a name that is reached by https. Whoever runs the service has to set SLUICE_PUBLIC_URL to such an address.',
      ['/: passkeys need https and the name of a host'],
    )
  return { id, origin }
}

/** Throws in plain words when the page that asks is open at another host than passkeys are for. */
export function demandHost({ id, origin }: RelyingParty, host: string): void {
  const [name = ''] = /^\[[^\]]*\]|^[^:]*/.exec(host) ?? []
  if (name.toLowerCase() === id) return
  throw new ServiceError(
    'invalid_state',
    `Passkeys of this service belong to ${id}, and this page is open at ${name}. Open ${origin}/dashboard and do it there.`,
    [`/: must be asked for at ${origin}`],
  )
}
