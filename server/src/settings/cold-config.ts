import { type Environment, environments } from '../domain/environment.ts'
import { fiatMinorDigits } from '../domain/fiat.ts'
import { divide, parseDecimal } from '../domain/money.ts'
import { type GateId, gateId } from '../domain/networks/network.ts'

/** The cold wallet of a network, as the operator writes it in the configuration. */
export type ColdEntry = {
  readonly network: string
  readonly environment: Environment
  /** An address, or the extended public key of an account. */
  readonly destination: string
  /** The fiat value up to which funds stay in the hot wallet. */
  readonly cap: string
  readonly currency: string
  /** What a move leaves in the hot wallet; half of the cap when left out. */
  readonly keep?: string
}

/** The same, checked but for the destination, which only the network's chain can judge. Values are in minor units. */
export type ColdConfig = {
  readonly id: GateId
  readonly network: string
  readonly environment: Environment
  readonly destination: string
  readonly currency: string
  readonly minorDigits: number
  readonly capValue: bigint
  readonly keepValue: bigint
}

const decimal = { type: 'string', pattern: '^(0|[1-9][0-9]*)([.][0-9]+)?$', maxLength: 50 }

/** The JSON Schema of `cold` in the configuration file. */
export function coldSchema(networkIds: readonly string[]) {
  return {
    type: 'array',
    maxItems: 100,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['network', 'environment', 'destination', 'cap', 'currency'],
      properties: {
        network: { enum: networkIds },
        environment: { enum: environments },
        destination: { type: 'string', minLength: 1, maxLength: 200 },
        cap: decimal,
        currency: { type: 'string', pattern: '^[A-Z]{3}$' },
        keep: decimal,
      },
    },
  }
}

/** The problems of entries that match the schema, one line each: `"<place> <what is wrong>"`. */
export function coldProblems(entries: readonly ColdEntry[]): string[] {
  const seen = new Set<string>()
  return entries.flatMap((entry, at) => {
    const config = readCold(entry)
    const problems = typeof config === 'string' ? [config] : []
    const id = gateId(entry.network, entry.environment)
    if (seen.has(id)) problems.push(`is a second cold wallet of ${id}: a network has one in each environment`)
    seen.add(id)
    return problems.map((problem) => `/cold/${at} ${problem}`)
  })
}

/** All cold wallets of a configuration that was found to be right. */
export function coldConfigs(entries: readonly ColdEntry[]): ColdConfig[] {
  return entries.map(readCold).filter((config): config is ColdConfig => typeof config !== 'string')
}

function readCold(entry: ColdEntry): ColdConfig | string {
  const { network, environment, destination, currency } = entry
  const minorDigits = fiatMinorDigits(currency)
  if (minorDigits === null) return `currency must be a fiat currency such as EUR, not ${currency}`
  const capValue = parseDecimal(entry.cap, minorDigits)
  const keepValue =
    entry.keep === undefined ? divide(capValue ?? 0n, 2n, 'down') : parseDecimal(entry.keep, minorDigits)
  if (capValue === null || keepValue === null)
    return `cap and keep must be decimals with up to ${minorDigits} places`
  if (capValue === 0n) return 'cap must be above 0: the hot wallet needs funds for payouts'
  if (keepValue >= capValue) return 'keep must be below cap: otherwise every deposit would be moved by itself'
  return {
    id: gateId(network, environment),
    network,
    environment,
    destination: destination.trim(),
    currency,
    minorDigits,
    capValue,
    keepValue,
  }
}
