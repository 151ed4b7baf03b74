import type { RelyingParty } from './webauthn.ts'

const thisMachine = /^(localhost$|127\.|\[::1\]$|0\.0\.0\.0$|\[::\]$)/

/**
 * The WebAuthn relying party of a service at this URL. Browsers bind passkeys to names only, so the local machine is
 * `localhost`, on any IP address.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { hostname, origin, port, protocol } = new URL(publicUrl)
  if (!thisMachine.test(hostname)) return { id: hostname, origins: [origin] }
  return { id: 'localhost', origins: [`${protocol}//localhost${port === '' ? '' : `:${port}`}`] }
}
