import { formatDecimal } from '../../domain/money.ts'
import { hotKey } from '../../domain/spends.ts'
import { readAccountEnvelope, signEnvelope } from '../account-envelope.ts'
import type { Family } from '../family.ts'
import { decodePublicKey, hasPrivateKey } from './address.ts'
import { solanaEnvelopes } from './envelope-scheme.ts'
import { isProgram } from './programs.ts'

export type SolanaFamilyOptions = {
  /** Addresses that must never be paid, besides the known programs: token mints. */
  readonly refused?: readonly string[]
  /** The address that payouts leave from; `solanaHotAddress` derives it. Null until the signer has published it. */
  readonly hotAddress?: string | null
}

const transferGas = 1n

/**
 * Addresses and payment links of Solana. An address is a bare public key: it has no checksum and does not name its network,
 * so this family serves the live and the test network.
 */
export function solanaFamily({ refused = [], hotAddress = null }: SolanaFamilyOptions = {}): Family {
  // A misspelt entry would silently refuse nothing.
  const misspelt = refused.find((address) => decodePublicKey(address) === null)
  if (misspelt !== undefined) throw new Error(`${misspelt} is not a Solana address, so it cannot be refused.`)
  if (hotAddress !== null && decodePublicKey(hotAddress) === null)
    throw new Error(`${hotAddress} is not a Solana address, so payouts cannot leave from it.`)
  const never = new Set(refused)

  const parseDestination: Family['parseDestination'] = (address, tag) => {
    if (tag !== null || never.has(address) || isProgram(address)) return null
    const key = decodePublicKey(address)
    return key !== null && hasPrivateKey(key) ? { address, tag: null } : null
  }

  return {
    // SLIP-0010 derives ed25519 keys from the seed alone: see solanaDepositAddress.
    depositAddress: () => null,

    parseDestination,

    // A transfer request of the Solana Pay specification, version 1. The amount is in SOL or in whole tokens, with a digit
    // before the decimal point and no exponent. The recipient is the wallet; the payer's wallet finds its token account.
    paymentUri(to, asset, units) {
      const token = asset.contractAddress === null ? '' : `&spl-token=${asset.contractAddress}`
      return `solana:${to.address}?amount=${formatDecimal(units, asset.decimals)}${token}`
    },

    spending: { kind: 'account', hotAddress, depositsAreHot: false, gasOf: () => transferGas },

    sign(plan, keyOf) {
      if (plan.kind !== 'account') throw new Error('Solana has no coins; a plan must pay from an account.')
      const { from, to } = plan
      if (from.key.chain === 'own' && (from.address !== hotAddress || from.key.index !== hotKey.index))
        throw new Error(`${from.address} is not our hot wallet.`)
      if (parseDestination(to.address, to.tag) === null)
        throw new Error(`"${to.address}" is not a valid destination on this network.`)
      return signEnvelope(solanaEnvelopes, plan, keyOf)
    },

    read: (bytes) => readAccountEnvelope(solanaEnvelopes, bytes),
  }
}
