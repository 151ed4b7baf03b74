import { type Asset, type AssetRegistry, networkIn } from '../domain/assets.ts'
import type { Environment } from '../domain/environment.ts'
import { fiatCodes } from '../domain/fiat.ts'
import { divide, parseDecimal } from '../domain/money.ts'
import type { Network } from '../domain/networks/network.ts'
import type { TokenProgram } from '../domain/solana-transaction.ts'

/** A token that the operator lists for a gate. */
export type TokenEntry = {
  readonly code: string
  readonly contract: string
  readonly decimals: number
  /** Its name; the code when left out. */
  readonly name?: string
  /** The smallest invoice or payout, as a decimal. */
  readonly min_amount?: string
  /** On Solana, the program that keeps it; the original one when left out. */
  readonly program?: TokenProgram
}

type Listing = {
  readonly network: string
  readonly environment: Environment
  readonly tokens?: readonly TokenEntry[] | null
}

/** The JSON Schema of a token whose contract or mint looks like `pattern`, with the fields that only its network has. */
export const tokenSchema = (pattern: string, more: object = {}) => ({
  type: 'object',
  additionalProperties: false,
  required: ['code', 'contract', 'decimals'],
  properties: {
    code: { type: 'string', pattern: '^[A-Z][A-Z0-9.]{0,19}$' },
    contract: { type: 'string', pattern },
    decimals: { type: 'integer', minimum: 0, maximum: 36 },
    name: { type: 'string', minLength: 1, maxLength: 60 },
    min_amount: { type: 'string', pattern: '^(0|[1-9][0-9]{0,20})([.][0-9]{1,36})?$' },
    ...more,
  },
})

const defaultMin = '0.01'
const dustShare = 100n

/**
 * The problems of the tokens of all gates, in the order of the gates (null for gates without tokens). They are checked
 * together because an amount of a currency on a network must mean the same in both environments.
 */
export function tokenProblems(registry: AssetRegistry, gates: readonly (Listing | null)[]): string[] {
  const decimalsOf = new Map<string, number>(
    registry.flatMap(({ code, assets }) =>
      assets.map(({ network, decimals }) => [`${code} ${network.id}`, decimals] as const),
    ),
  )
  return gates.flatMap((gate, at) => {
    const seen = new Set<string>()
    return (gate?.tokens ?? []).flatMap(({ code, contract, decimals, min_amount }, place) => {
      const problems: string[] = []
      const here = `${code} ${gate?.network}`
      const known = decimalsOf.get(here) ?? decimals
      decimalsOf.set(here, known)
      if (known !== decimals)
        problems.push(`/decimals must be ${known}, as defined for ${here.replace(' ', ' on ')}`)
      if (fiatCodes.includes(code) || registry.some((each) => each.code === code && each.kind === 'native'))
        problems.push('/code is taken by a currency that is not a token')
      if (min_amount !== undefined && parseDecimal(min_amount, decimals) === null)
        problems.push(`/min_amount must have at most ${decimals} digits after the decimal point`)
      for (const [name, value] of [
        ['code', code],
        ['contract', sameCase(contract)],
      ] as const)
        if (seen.has(value)) problems.push(`/${name} is listed twice`)
        else seen.add(value)
      return problems.map((problem) => `/gates/${at}/tokens/${place}${problem}`)
    })
  })
}

/** Letters of a hexadecimal address may have either case; those of a mint may not. */
function sameCase(contract: string): string {
  return contract.startsWith('0x') ? contract.toLowerCase() : contract
}

/** The registry plus the tokens that gates list. */
export function withTokens(registry: AssetRegistry, gates: readonly Listing[]): AssetRegistry {
  // A token listed in the live environment is also available in test, but not the other way round.
  const ordered = gates.toSorted(
    (a, b) => Number(b.environment === 'live') - Number(a.environment === 'live'),
  )
  const all = [...registry]
  for (const { network, environment, tokens } of ordered)
    for (const token of tokens ?? []) {
      const at = all.findIndex(({ code }) => code === token.code)
      const known = all[at]
      const asset = assetOf(token, networkIn(registry, network), environment)
      if (known === undefined) all.push(currencyOf(token, asset))
      else if (!known.assets.some((each) => each.network.id === network))
        all[at] = { ...known, assets: [...known.assets, asset] }
    }
  return all.toSorted((a, b) => (a.code < b.code ? -1 : 1))
}

function currencyOf({ code, name }: TokenEntry, asset: Asset): AssetRegistry[number] {
  return {
    code,
    name: name ?? code,
    kind: 'token',
    defaultNetwork: null,
    isDollar: false,
    shownFirst: [],
    sandboxPrice: null,
    // A source that has the token has it under its usual code.
    sourceNames: { kraken: null, coinbase: code, binance: code, coingecko: null },
    assets: [asset],
  }
}

function assetOf(
  { decimals, contract, min_amount, program }: TokenEntry,
  network: Network,
  environment: Environment,
): Asset {
  // For a token without hundredths the minimum is one unit.
  const minUnits = parseDecimal(min_amount ?? defaultMin, decimals) ?? 1n
  return {
    network,
    decimals,
    minUnits,
    contractAddress: contract,
    ...(program !== undefined && { tokenProgram: program }),
    dustUnits: divide(minUnits, dustShare, 'up'),
    ...(environment === 'test' && { isTestOnly: true }),
  }
}
