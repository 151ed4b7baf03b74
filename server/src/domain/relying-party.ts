import type { RelyingParty } from './webauthn.ts'

const thisMachine = /^(localhost$|127\.|\[::1\]$|0\.0\.0\.0$|\[::\]$)/

/**
 * Who asks for passkeys where people reach the service at this address. Browsers bind passkeys to names only, so this
 * machine goes by `localhost`, whatever its number.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { hostname, origin, port, protocol } = new URL(publicUrl)
  if (!thisMachine.test(hostname)) return { id: hostname, origins: [origin] }
  return { id: 'localhost', origins: [`${protocol}//localhost${port === '' ? '' : `:${port}`}`] }
}
