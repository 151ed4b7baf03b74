import type { Asset } from '../../domain/assets.ts'
import { hotKey, type SolanaPlan } from '../../domain/spends.ts'
import { type Family, fullConsent, noConsent } from '../family.ts'
import { maxMemoBytes } from './actions.ts'
import { decodePublicKey } from './address.ts'
import { cancelBudget, maxSources, payoutBudget, sweepBudget } from './budgets.ts'
import { associatedTokenAccount, nonceAccount } from './derived-address.ts'
import { type DestinationKind, solanaDestinationKind, solanaRefusal } from './destination.ts'
import { paymentReference, transferRequest } from './payment-link.ts'
import { readSolanaTransaction } from './read-transaction.ts'
import { signSolanaTransaction } from './sign-transaction.ts'
import { transactionOf } from './transaction-of.ts'

export type SolanaFamilyOptions = {
  /** The network's currencies. Their mints are never paid, nor are the hot wallet's own accounts of them. */
  readonly assets?: readonly Asset[]
  /** The address that payouts leave from; `solanaHotAddress` derives it. Null until the signer has published it. */
  readonly hotAddress?: string | null
}

/** As many payouts and sweeps can be on their way at once. Each account costs its rent once, about 0.0015 SOL. */
export const nonceAccountsOfWallet = 16

/**
 * Addresses, payment links and transactions of Solana. An address is a bare public key: it has no checksum and does not name
 * its network, so this family serves the live and the test network.
 */
export function solanaFamily({ assets = [], hotAddress = null }: SolanaFamilyOptions = {}): Family {
  const mints = new Set(assets.flatMap(({ contractAddress }) => contractAddress ?? []))
  // A misspelt entry would silently refuse nothing.
  const misspelt = [...mints].find((address) => decodePublicKey(address) === null)
  if (misspelt !== undefined) throw new Error(`${misspelt} is not a Solana address, so it cannot be a mint.`)
  if (hotAddress !== null && decodePublicKey(hotAddress) === null)
    throw new Error(`${hotAddress} is not a Solana address, so payouts cannot leave from it.`)
  let own: ReadonlySet<string> | undefined
  const kindOf = (address: string): DestinationKind => {
    own ??= accountsOf(hotAddress, assets)
    return solanaDestinationKind(address, { mints, own })
  }

  const parseDestination: Family['parseDestination'] = (address, tag, consent = noConsent) => {
    if (tag !== null && memoFault(tag) !== null) return null
    const kind = kindOf(address)
    return kind === 'wallet' || (kind === 'off_curve' && consent.programAddress) ? { address, tag } : null
  }

  const nonceAccountAt = (index: number) => {
    if (hotAddress === null) throw new Error('The hot wallet is not known yet.')
    return nonceAccount(hotAddress, index)
  }

  function check({ from, to, lifetime, units }: SolanaPlan): void {
    if (from.address !== hotAddress || from.key.chain !== hotKey.chain || from.key.index !== hotKey.index)
      throw new Error(`${from.address} is not our hot wallet.`)
    const isOwn = lifetime.kind === 'creation' ? to.address === nonceAccountAt(lifetime.index) : units === 0n
    if (!isOwn && parseDestination(to.address, to.tag, fullConsent) === null)
      throw new Error(`"${to.address}" is not a valid destination on this network.`)
  }

  return {
    // SLIP-0010 derives ed25519 keys from the seed alone: see solanaDepositAddress.
    depositAddress: () => null,

    parseDestination,
    tagRefusal: memoFault,
    destinationRefusal: (address) => solanaRefusal(kindOf(address)),

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
      payoutBudget: (asset, memo = null) => payoutBudget(tokenOf(asset)?.program ?? null, memo),
      sweepBudget: (asset, sources) => sweepBudget(tokenOf(asset)?.program ?? null, sources),
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

/** What the hot wallet owns and no payout may pay: its nonce accounts and token accounts. Paying the hot wallet itself is a sweep. */
function accountsOf(hotAddress: string | null, assets: readonly Asset[]): ReadonlySet<string> {
  if (hotAddress === null) return new Set()
  return new Set([
    ...Array.from({ length: nonceAccountsOfWallet }, (_, index) => nonceAccount(hotAddress, index)),
    ...assets.flatMap((asset) => {
      const token = tokenOf(asset)
      if (token === null || asset.contractAddress === null) return []
      return associatedTokenAccount(hotAddress, token.program, asset.contractAddress)
    }),
  ])
}

/** The program that keeps an asset, and its decimals; null for SOL. */
function tokenOf({ contractAddress, decimals, tokenProgram = 'token' }: Asset): SolanaPlan['token'] {
  return contractAddress === null ? null : { program: tokenProgram, decimals }
}

const controlPattern = /\p{Cc}/u

/** Why a text cannot be a memo; null if it can. */
function memoFault(text: string): string | null {
  if (!text.isWellFormed() || controlPattern.test(text)) return 'must be text without control characters'
  const bytes = Buffer.byteLength(text)
  return bytes > 0 && bytes <= maxMemoBytes
    ? null
    : `must have 1 to ${maxMemoBytes} bytes in UTF-8, and has ${bytes}`
}
