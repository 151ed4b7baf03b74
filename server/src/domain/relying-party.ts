import type { RelyingParty } from './webauthn.ts'

const thisMachine = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Who asks for passkeys where people reach the service at this address. Browsers bind passkeys to names only, so this
 * machine goes by `localhost`, whatever its number.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { hostname, origin, port, protocol } = new URL(publicUrl)
  if (!thisMachine.has(hostname)) return { id: hostname, origins: [origin] }
  return { id: 'localhost', origins: [`${protocol}//localhost${port === '' ? '' : `:${port}`}`] }
}
