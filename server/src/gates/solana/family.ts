import type { Asset } from '../../domain/assets.ts'
import { hotKey, type SolanaPlan } from '../../domain/spends.ts'
import type { Family } from '../family.ts'
import { decodePublicKey, hasPrivateKey } from './address.ts'
import { cancelBudget, maxSources, payoutBudget, sweepBudget } from './budgets.ts'
import { associatedTokenAccount, nonceAccount } from './derived-address.ts'
import { paymentReference, transferRequest } from './payment-link.ts'
import { isProgram } from './programs.ts'
import { readSolanaTransaction } from './read-transaction.ts'
import { signSolanaTransaction } from './sign-transaction.ts'
import { transactionOf } from './transaction-of.ts'

export type SolanaFamilyOptions = {
  /** Addresses that must never be paid, besides the known programs: token mints. */
  readonly refused?: readonly string[]
  /** The address that payouts leave from; `solanaHotAddress` derives it. Null until the signer has published it. */
  readonly hotAddress?: string | null
}

/** As many payouts and sweeps can be on their way at once. Each account costs its rent once, about 0.0015 SOL. */
export const nonceAccountsOfWallet = 16

/**
 * Addresses, payment links and transactions of Solana. An address is a bare public key: it has no checksum and does not name
 * its network, so this family serves the live and the test network.
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

  const nonceAccountAt = (index: number) => {
    if (hotAddress === null) throw new Error('The hot wallet is not known yet.')
    return nonceAccount(hotAddress, index)
  }

  function check({ from, to, lifetime, units }: SolanaPlan): void {
    if (from.address !== hotAddress || from.key.chain !== hotKey.chain || from.key.index !== hotKey.index)
      throw new Error(`${from.address} is not our hot wallet.`)
    const isOwn = lifetime.kind === 'creation' ? to.address === nonceAccountAt(lifetime.index) : units === 0n
    if (!isOwn && parseDestination(to.address, to.tag) === null)
      throw new Error(`"${to.address}" is not a valid destination on this network.`)
  }

  return {
    // SLIP-0010 derives ed25519 keys from the seed alone: see solanaDepositAddress.
    depositAddress: () => null,

    parseDestination,

    paymentUri: (to, asset, units, note) => transferRequest(to, asset, units, note ?? null),
    paymentReference,

    spending: {
      kind: 'solana',
      hotAddress,
      depositsAreHot: false,
      nonceAccounts: nonceAccountsOfWallet,
      nonceAccount: nonceAccountAt,
      tokenOf,
      tokenAccount(owner, asset) {
        const token = tokenOf(asset)
        if (token === null || asset.contractAddress === null) throw new Error('SOL has no token account.')
        return associatedTokenAccount(owner, token.program, asset.contractAddress)
      },
      payoutBudget: (asset) => payoutBudget(asset.contractAddress !== null),
      sweepBudget: (asset, sources) => sweepBudget(asset.contractAddress !== null, sources),
      cancelBudget,
      maxSources: (asset) => maxSources(asset.contractAddress !== null),
    },

    sign(plan, keyOf) {
      if (plan.kind !== 'solana') throw new Error('A plan for Solana must be one of its own kind.')
      check(plan)
      return signSolanaTransaction(transactionOf(plan), keyOf)
    },

    read: readSolanaTransaction,
  }
}

/** Every token that we know belongs to the original token program. */
function tokenOf({ contractAddress, decimals }: Asset): SolanaPlan['token'] {
  return contractAddress === null ? null : { program: 'token', decimals }
}
