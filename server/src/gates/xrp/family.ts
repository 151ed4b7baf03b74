import type { Asset } from '../../domain/assets.ts'
import type { Environment } from '../../domain/environment.ts'
import { formatDecimal } from '../../domain/money.ts'
import { isCancelling } from '../../domain/spends.ts'
import type { Family } from '../family.ts'
import { decodeClassicAddress, decodeXAddress, encodeClassicAddress } from './address.ts'
import { readContract } from './issued-currency.ts'
import { isTrusting, readXrpBytes, signXrpPlan, transferGas } from './sign-plan.ts'
import { depositTag, parseTag } from './tag.ts'

export type XrpFamilyOptions = {
  readonly environment: Environment
  /** The classic address that all payers use; the tag tells their payments apart. */
  readonly account: string
  /** The network's currencies. Their issuers are never paid: what an issuer gets back is no money any more. */
  readonly assets?: readonly Asset[]
  /**
   * Whether a payout must have a tag. Without one, a payment to an exchange is credited to no one, while a payment to a
   * personal account is fine, and an address does not show which it is. Requiring a tag is the default because that mistake
   * costs nothing: the owner of a personal account can give any tag. An untagged X-address is no exception, since tools
   * create these from classic addresses.
   */
  readonly requireTag?: boolean
}

// The special addresses of https://xrpl.org/docs/concepts/accounts/addresses. No one can spend from them, except from the
// genesis account in a private ledger, whose key is public.
const specialAddresses: ReadonlySet<string> = new Set([
  'rrrrrrrrrrrrrrrrrrrrrhoLvTp', // ACCOUNT_ZERO
  'rrrrrrrrrrrrrrrrrrrrBZbvji', // ACCOUNT_ONE
  'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', // the genesis account
  'rrrrrrrrrrrrrrrrrNAMEtxvNvQ', // Ripple Name reservation
  'rrrrrrrrrrrrrrrrrrrn5RM1rHd', // NaN
])

/**
 * Addresses, payment links and transactions of the XRP Ledger: one account, and a destination tag for each deposit address. Results are
 * always a classic address with a separate tag. Only X-addresses name their network; a classic address is the same on all.
 */
export function xrpFamily({
  environment,
  account,
  assets = [],
  requireTag = true,
}: XrpFamilyOptions): Family {
  const issuers = new Set(assets.flatMap((asset) => issuerOf(asset) ?? []))
  if (decodeClassicAddress(account) === null || specialAddresses.has(account))
    throw new Error(`${account} is not a classic XRP Ledger address that can receive deposits.`)

  const readDestination = (text: string, tag: number | null) => {
    const plain = decodeClassicAddress(text)
    if (plain !== null) return { accountId: plain, tag }
    const packed = decodeXAddress(text)
    if (packed?.environment !== environment) return null
    // If the two tags differ, or one is given for an address without a tag, there is no way to tell which is wrong.
    return tag === null || tag === packed.tag ? packed : null
  }

  const parseDestination: Family['parseDestination'] = (text, tagText) => {
    const tag = tagText === null ? null : parseTag(tagText)
    if (tagText !== null && tag === null) return null
    const found = readDestination(text, tag)
    if (found === null || (requireTag && found.tag === null)) return null
    const address = encodeClassicAddress(found.accountId)
    // The ledger refuses a payment from an account to itself, even with another tag.
    if (address === account || specialAddresses.has(address) || issuers.has(address)) return null
    return { address, tag: found.tag === null ? null : String(found.tag) }
  }

  return {
    depositAddress: (index) => ({ address: account, tag: depositTag(index) }),

    parseDestination,

    // There is no settled standard. XLS-2 defines `amount`, in XRP and not in drops, and `dt`. The rest of the link follows
    // https://docs.xaman.dev/simple-link-qr/payment-request-link, which any wallet may handle. It has no parameter that
    // tells the test network from the live one.
    paymentUri(to, asset, units) {
      const tag = to.tag === null ? '' : `&dt=${to.tag}`
      const issued = asset.contractAddress === null ? null : readContract(asset.contractAddress)
      const currency =
        issued === null ? '' : `&issuer=${issued.issuer}&currency=${encodeURIComponent(issued.currency)}`
      return `xrpl://${to.address}?amount=${formatDecimal(units, asset.decimals)}${currency}${tag}`
    },

    spending: {
      kind: 'account',
      hotAddress: account,
      depositsAreHot: true,
      gasOf: () => transferGas,
      trustedFor: issuerOf,
    },

    sign(plan, keyOf) {
      if (plan.kind !== 'account')
        throw new Error('The XRP Ledger has no coins; a plan must pay from an account.')
      const { from, to } = plan
      if (from.address !== account) throw new Error(`${from.address} is not our account.`)
      if (isCancelling(plan) || isTrusting(plan)) return signXrpPlan(plan, keyOf, assets)
      const read = parseDestination(to.address, to.tag)
      if (read?.address !== to.address || read.tag !== to.tag)
        throw new Error(`"${to.address}" with tag ${to.tag} is not a valid destination on this network.`)
      return signXrpPlan(plan, keyOf, assets)
    },

    read: (bytes) => readXrpBytes(bytes, assets),
  }
}

/** Who issues an asset; null for XRP. Throws where its contract names no one. */
function issuerOf({ contractAddress }: Asset): string | null {
  if (contractAddress === null) return null
  const issued = readContract(contractAddress)
  // A misspelt entry would silently refuse nothing.
  if (issued === null) throw new Error(`${contractAddress} names no currency and issuer.`)
  return issued.issuer
}
