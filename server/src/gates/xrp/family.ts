import type { Environment } from '../../domain/environment.ts'
import { formatDecimal } from '../../domain/money.ts'
import { isCancelling } from '../../domain/spends.ts'
import { signEnvelope } from '../account-envelope.ts'
import type { Family } from '../family.ts'
import { decodeClassicAddress, decodeXAddress, encodeClassicAddress } from './address.ts'
import { xrpEnvelopes } from './envelope-scheme.ts'
import { depositTag, parseTag } from './tag.ts'

export type XrpFamilyOptions = {
  readonly environment: Environment
  /** The classic address that everybody pays to; the tag tells whose payment it is. */
  readonly account: string
  /**
   * Whether a payout must name a tag. Without one, a payment to an exchange is credited to nobody, while one
   * to an own account is fine; an address does not show which it is. The default is the mistake that costs
   * nothing, and the owner of an account gives any tag. An untagged X-address is no exception: tools make
   * them from classic ones.
   */
  readonly requireTag?: boolean
}

const transferGas = 1n

// The special addresses of https://xrpl.org/docs/concepts/accounts/addresses: nobody can spend from them,
// except from the genesis account in a ledger of one's own, whose key everybody knows.
const specialAddresses: ReadonlySet<string> = new Set([
  'rrrrrrrrrrrrrrrrrrrrrhoLvTp', // ACCOUNT_ZERO
  'rrrrrrrrrrrrrrrrrrrrBZbvji', // ACCOUNT_ONE
  'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', // the genesis account
  'rrrrrrrrrrrrrrrrrNAMEtxvNvQ', // Ripple Name reservation
  'rrrrrrrrrrrrrrrrrrrn5RM1rHd', // NaN
])

/**
 * Addresses and payment links of the XRP Ledger: one account, and a destination tag for each deposit address.
 * What it answers is always a classic address with the tag apart. Only X-addresses say for which network they
 * are; a classic one is the same in all.
 */
export function xrpFamily({ environment, account, requireTag = true }: XrpFamilyOptions): Family {
  if (decodeClassicAddress(account) === null || specialAddresses.has(account))
    throw new Error(`${account} is no classic XRP Ledger address that can receive deposits.`)

  const readDestination = (text: string, tag: number | null) => {
    const plain = decodeClassicAddress(text)
    if (plain !== null) return { accountId: plain, tag }
    const packed = decodeXAddress(text)
    if (packed?.environment !== environment) return null
    // Two different tags, or one beside an address that says there is none: one of them is wrong, and which?
    return tag === null || tag === packed.tag ? packed : null
  }

  const parseDestination: Family['parseDestination'] = (text, tagText) => {
    const tag = tagText === null ? null : parseTag(tagText)
    if (tagText !== null && tag === null) return null
    const found = readDestination(text, tag)
    if (found === null || (requireTag && found.tag === null)) return null
    const address = encodeClassicAddress(found.accountId)
    // The ledger refuses a payment from an account to itself, whatever the tag.
    if (address === account || specialAddresses.has(address)) return null
    return { address, tag: found.tag === null ? null : String(found.tag) }
  }

  return {
    depositAddress: (index) => ({ address: account, tag: depositTag(index) }),

    parseDestination,

    // There is no settled standard. XLS-2 names `amount`, in XRP and not in drops, and `dt`; the form around
    // them is the one any wallet may claim in https://docs.xaman.dev/simple-link-qr/payment-request-link. No
    // parameter of it tells the test network from the live one.
    paymentUri(to, asset, units) {
      const tag = to.tag === null ? '' : `&dt=${to.tag}`
      return `xrpl://${to.address}?amount=${formatDecimal(units, asset.decimals)}${tag}`
    },

    spending: { kind: 'account', hotAddress: account, depositsAreHot: true, gasOf: () => transferGas },

    sign(plan, keyOf) {
      if (plan.kind !== 'account') throw new Error('The XRP Ledger pays from accounts; there are no coins.')
      const { from, to, contractAddress } = plan
      if (from.address !== account) throw new Error(`${from.address} is not our account.`)
      if (contractAddress !== null) throw new Error('We pay no tokens on the XRP Ledger.')
      // What nobody is paid by needs no destination: on the ledger itself it is an AccountSet that sets nothing.
      if (isCancelling(plan)) return signEnvelope(xrpEnvelopes, plan, keyOf)
      const read = parseDestination(to.address, to.tag)
      if (read?.address !== to.address || read.tag !== to.tag)
        throw new Error(`"${to.address}" with tag ${to.tag} is no destination on this network.`)
      return signEnvelope(xrpEnvelopes, plan, keyOf)
    },
  }
}
