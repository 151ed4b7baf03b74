import type { Caller } from '../../domain/caller.ts'
import { isUuid } from '../../domain/ids.ts'
import { fullConsent } from '../../gates/gate.ts'
import { maxHits, type SearchHit, type StoredPlace } from '../../store/reports/search.ts'
import type { App } from '../app.ts'

const eventPrefix = /^evt_/i
// A shorter prefix would match nearly every address.
const leastDestination = 6
const hexHash = /^(0x)?[0-9a-f]{64}$/i
// A shorter part would be in too many.
const leastStart = 8
const leastPart = 4
const idDigits = /^[0-9a-f]{8,31}$/
const alphanumeric = /^[0-9a-z]+$/i
// Solana's signatures, in base58, are the longest.
const anyHash = /^[0-9a-zA-Z]{43,90}$/

/**
 * Searches the caller's resources for a text, best matches first: what is it, then what begins with it, then what has it anywhere.
 */
export async function searchMerchant(
  app: Pick<App, 'reading' | 'gates'>,
  caller: Caller,
  text: string,
): Promise<SearchHit[]> {
  const wanted = text.trim()
  const id = wanted.replace(eventPrefix, '')
  const digits = id.replaceAll('-', '').toLowerCase()
  const places = placesOf(app, caller, wanted)
  const gates = gatesOf(app, caller)
  const gateIds = gates.map((gate) => gate.id)
  const isStart = alphanumeric.test(wanted) && wanted.length >= leastStart
  const isHash = anyHash.test(wanted) || hexHash.test(wanted)
  const isPart = alphanumeric.test(wanted.replaceAll('-', '')) && wanted.length >= leastPart
  const found = await app.reading(({ search }) =>
    Promise.all([
      isUuid(id) ? search.byId(caller, id) : [],
      isHash ? search.byTransaction(caller, gateIds, hashForms(wanted)) : [],
      places.length > 0 ? search.byAddress(caller, places) : [],
      search.byIdempotencyKey(caller, wanted),
      search.byExternalId(caller, wanted),
      wanted.length >= leastDestination
        ? search.byDestination(caller, wanted, [...new Set(places.map(({ address }) => address))])
        : [],
      search.byLabel(caller, wanted),
      idDigits.test(digits) ? search.byIdStart(caller, digits) : [],
      isStart ? search.byTransactionStart(caller, gateIds, startForms(wanted)) : [],
      isStart
        ? search.byAddressStart(caller, [...new Set(gates.map(({ keychain }) => keychain))], wanted)
        : [],
      search.byText(caller, wanted, { isPart }),
    ]),
  )
  const distinct = new Map(
    found
      .flat()
      .map((hit) => [`${hit.type} ${hit.id}`, hit])
      .reverse() as [string, SearchHit][],
  )
  return [...distinct.values()].reverse().slice(0, maxHits)
}

function gatesOf({ gates }: Pick<App, 'gates'>, { environment }: Caller) {
  return gates.list().filter((gate) => gate.environment === environment)
}

/** The addresses that a text can mean, in stored form; a tag may follow a colon. */
function placesOf(app: Pick<App, 'gates'>, caller: Caller, text: string): StoredPlace[] {
  const [, before = text, behind = null] = /^([^:]+):(\d{1,10})$/.exec(text) ?? []
  return gatesOf(app, caller).flatMap((gate) => {
    const { keychain } = gate
    const parsed = gate.parseDestination(before, behind, fullConsent)
    // Our own account is not a valid payout destination, but payers pay to it where tags tell them apart.
    const asWritten = { keychain, address: before, tag: behind ?? '' }
    return parsed === null ? [asWritten] : [{ keychain, address: parsed.address, tag: parsed.tag ?? '' }]
  })
}

/** The ways networks write this hash: Ethereum with 0x, Bitcoin in lower case, the XRP Ledger in upper case. */
function hashForms(text: string): string[] {
  return hexHash.test(text) ? hexForms(text) : [text]
}

/** The same for the beginning of a hash, which may be in base58 as well. */
function startForms(text: string): string[] {
  return /^(0x)?[0-9a-f]+$/i.test(text) ? [...new Set([text, ...hexForms(text)])] : [text]
}

function hexForms(text: string): string[] {
  const digits = text.replace(/^0x/i, '').toLowerCase()
  return [digits, digits.toUpperCase(), `0x${digits}`]
}
