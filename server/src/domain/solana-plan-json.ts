import { count, integer, keyPath, list, maxIndex, members, orNull, uuid, word } from './json-members.ts'
import { maxPlanBytes } from './plan-json.ts'
import type {
  SolanaLifetime,
  SolanaPlan,
  SolanaSigner,
  SolanaStep,
  SolanaToken,
  TokenProgram,
} from './solana-plan.ts'

const maxSteps = 64
const maxDecimals = 255
const maxMemoLength = 256

/** The stored form of a plan. Integers are decimal text, because JSON numbers lose digits. */
export function solanaPlanToJson(plan: SolanaPlan): string {
  return JSON.stringify(plan, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
}

/**
 * A plan from its stored form, where anyone may have written it: exactly the members of its kind, each of its type and
 * within bounds, and no negative amount. Null when it is anything else. Whether addresses exist is for `signSolanaPlan`.
 */
export function readSolanaPlan(text: string): SolanaPlan | null {
  if (text.length > maxPlanBytes) return null
  try {
    const given = members(JSON.parse(text), [
      ...['kind', 'payer', 'lifetime', 'steps', 'computeLimit', 'computePrice'],
    ])
    if (given.kind !== 'solana') return null
    return {
      kind: 'solana',
      payer: signer(given.payer),
      lifetime: lifetime(given.lifetime),
      steps: list(given.steps, 0, maxSteps).map(step),
      computeLimit: integer(given.computeLimit),
      computePrice: integer(given.computePrice),
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

function lifetime(value: unknown): SolanaLifetime {
  if (kindOf(value) === 'blockhash')
    return { kind: 'blockhash', value: word(members(value, ['kind', 'value']).value) }
  const given = members(value, ['kind', 'index', 'value'])
  if (given.kind !== 'nonce') throw new TypeError('not a lifetime')
  return { kind: 'nonce', index: count(given.index, maxIndex), value: word(given.value) }
}

function step(value: unknown): SolanaStep {
  const kind = kindOf(value)
  switch (kind) {
    case 'transfer': {
      const { from, to, units, payoutId } = members(value, ['kind', 'from', 'to', 'units', 'payoutId'])
      return {
        kind,
        from: signer(from),
        to: word(to),
        units: integer(units),
        payoutId: orNull(payoutId, uuid),
      }
    }
    case 'transfer_token': {
      const given = members(value, ['kind', 'token', 'account', 'from', 'to', 'units', 'payoutId'])
      return {
        kind,
        token: token(given.token),
        account: word(given.account),
        from: signer(given.from),
        to: word(given.to),
        units: integer(given.units),
        payoutId: orNull(given.payoutId, uuid),
      }
    }
    case 'open': {
      const given = members(value, ['kind', 'program', 'mint', 'owner', 'rentUnits'])
      const [mint, owner] = [word(given.mint), word(given.owner)]
      return { kind, program: program(given.program), mint, owner, rentUnits: integer(given.rentUnits) }
    }
    case 'close': {
      const given = members(value, ['kind', 'program', 'account', 'owner'])
      const account = word(given.account)
      return { kind, program: program(given.program), account, owner: signer(given.owner) }
    }
    case 'memo': {
      const { text } = members(value, ['kind', 'text'])
      if (typeof text !== 'string' || text.length > maxMemoLength) throw new TypeError('not a memo')
      return { kind, text }
    }
    case 'create_nonce': {
      const { index, units } = members(value, ['kind', 'index', 'units'])
      return { kind, index: count(index, maxIndex), units: integer(units) }
    }
    default:
      throw new TypeError('not a step')
  }
}

function kindOf(value: unknown): unknown {
  return (value as { kind?: unknown }).kind
}

function signer(value: unknown): SolanaSigner {
  const { address, key } = members(value, ['address', 'key'])
  return { address: word(address), key: keyPath(key) }
}

function token(value: unknown): SolanaToken {
  const given = members(value, ['program', 'mint', 'decimals'])
  return {
    program: program(given.program),
    mint: word(given.mint),
    decimals: count(given.decimals, maxDecimals),
  }
}

function program(value: unknown): TokenProgram {
  if (value !== 'token' && value !== 'token-2022') throw new TypeError('not a token program')
  return value
}
