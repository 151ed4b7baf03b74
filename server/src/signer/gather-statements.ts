import type { Environment } from '../domain/environment.ts'
import { challengeOf, type KeptStatement, readStatement } from '../domain/passkey-statements.ts'
import { isUsableKey } from '../domain/webauthn.ts'
import type { ToldStatement } from '../store/payouts/passkey-signing.ts'
import { knownSignerOf, type PasskeyTrust } from './passkey-trust.ts'
import { isRelaxed, type Pin, policyInForce } from './pin-book.ts'

/** A statement and the passkeys that signed it. Everyone who agrees signs the same text. */
type Gathered = {
  readonly statement: KeptStatement
  readonly hash: string
  readonly signers: Map<string, Pin>
}

/** A statement that enough people have signed. `isWeaker`: it allows what was not allowed before, and so has to wait. */
export type Agreed = { readonly statement: KeptStatement; readonly hash: string; readonly isWeaker: boolean }

type OwnTrust = Pick<PasskeyTrust, 'pins' | 'relyingParty'> & { readonly environment: Environment }

// Each is signed by a passkey that the signer knows. Beyond this, the oldest is dropped and read again at the next start.
const mostGathered = 10_000
const clocksDifferMs = 15 * 60_000

/**
 * Gathers the signatures of statements until enough people have made each. What only restricts needs one person; what
 * relaxes needs as many as a payout.
 */
export function statementGatherer(trust: OwnTrust) {
  const { pins, environment } = trust
  const gathered = new Map<string, Gathered>()

  function hear({ said, assertion }: ToldStatement): void {
    const statement = readStatement(said)
    if (statement === null) return
    const hash = challengeOf(said).toString('hex')
    if (isOver(statement, hash)) return
    const pin = knownSignerOf(trust, statement, assertion)
    if (typeof pin === 'string') return
    const known = gathered.get(hash) ?? { statement, hash, signers: new Map() }
    known.signers.set(pin.credentialId.toString('hex'), pin)
    gathered.set(hash, known)
    if (gathered.size > mostGathered) gathered.delete(gathered.keys().next().value as string)
  }

  /** Statements that enough people have made by now. One that has taken effect is not returned again. */
  function* agreed(now: Date): Generator<Agreed> {
    for (const each of [...gathered.values()]) {
      if (isOver(each.statement, each.hash)) gathered.delete(each.hash)
      else if (isTimely(each.statement, now)) {
        const isWeaker = weakens(each.statement, now)
        const needed = isWeaker ? neededFor(each.statement, now) : 1
        if (peopleBehind(each, now) >= needed) yield { ...each, isWeaker }
      }
    }
  }

  /** Whether a statement can have no effect any more, or never had one here. */
  function isOver(statement: KeptStatement, hash: string): boolean {
    const { merchantId } = statement
    switch (statement.kind) {
      case 'trust_passkey': {
        const { credentialId, publicKey } = statement
        const isKnown = pins.find(merchantId, credentialId) !== null
        return isKnown || pins.isForgotten(merchantId, credentialId) || !isUsableKey(publicKey)
      }
      case 'distrust_passkey':
        return pins.isUsed(hash) || pins.find(merchantId, statement.credentialId) === null
      case 'policy': {
        const newest = pins.policiesOf(merchantId).at(-1)
        return statement.environment !== environment || (newest?.statedAt ?? 0) >= statement.at
      }
      case 'destination': {
        const newest = pins.destinationOf(merchantId, statement).at(-1)
        return statement.environment !== environment || (newest?.statedAt ?? 0) >= statement.at
      }
    }
  }

  function weakens(statement: KeptStatement, now: Date): boolean {
    switch (statement.kind) {
      case 'trust_passkey':
        return true
      case 'distrust_passkey':
        return false
      case 'policy':
        return isRelaxed(pins, statement, now)
      case 'destination':
        return statement.isAllowed
    }
  }

  function neededFor({ merchantId }: KeptStatement, now: Date): number {
    // In the test environment the database's policy decides, and one person is enough.
    return environment === 'live' ? policyInForce(pins, merchantId, now).approvalsRequired : 1
  }

  function peopleBehind({ statement: { merchantId }, signers }: Gathered, now: Date): number {
    const trusted = [...signers.values()].filter((pin) => {
      const known = pins.find(merchantId, pin.credentialId)
      return known !== null && known.from <= now && known.publicKey.equals(pin.publicKey)
    })
    return new Set(trusted.map(({ userId }) => userId)).size
  }

  return { hear, agreed }
}

/** A statement from the future would shut out every later one. It waits until its time has come. */
function isTimely(statement: KeptStatement, now: Date): boolean {
  return !('at' in statement) || statement.at.getTime() <= now.getTime() + clocksDifferMs
}
