import type { SolanaTransaction, TokenProgram } from '../../domain/solana-transaction.ts'
import { decodePublicKey } from './address.ts'
import { associatedTokenAccount, nonceAccount } from './derived-address.ts'
import { isProgram } from './programs.ts'

/** What one step of a transaction does, as far as its bytes say. Token transfers name accounts, not who owns them. */
export type SolanaAction =
  | { readonly kind: 'transfer'; readonly from: string; readonly to: string; readonly units: bigint }
  | {
      readonly kind: 'transfer_token'
      readonly program: TokenProgram
      readonly mint: string
      readonly decimals: number
      readonly account: string
      /** Who signs for the account. */
      readonly owner: string
      readonly toAccount: string
      readonly units: bigint
    }
  | {
      readonly kind: 'open'
      readonly program: TokenProgram
      readonly mint: string
      readonly owner: string
      /** The owner's associated token account. */
      readonly account: string
    }
  | {
      readonly kind: 'close'
      readonly program: TokenProgram
      readonly account: string
      readonly owner: string
    }
  | { readonly kind: 'memo'; readonly text: string }
  | {
      readonly kind: 'create_nonce'
      readonly index: number
      readonly account: string
      readonly units: bigint
    }

/** Everything a transaction says except its signatures. */
export type SolanaContent = {
  readonly payer: string
  readonly lifetime:
    | { readonly kind: 'nonce'; readonly account: string; readonly value: string }
    | { readonly kind: 'blockhash'; readonly value: string }
  readonly actions: readonly SolanaAction[]
  readonly computeLimit: bigint
  readonly computePrice: bigint
}

/** What the transaction of a plan says. Throws where the plan names an address that is none. */
export function contentOf(plan: SolanaTransaction): SolanaContent {
  const payer = plan.payer.address
  const { lifetime, computeLimit, computePrice } = plan
  return {
    payer,
    lifetime:
      lifetime.kind === 'blockhash'
        ? lifetime
        : { kind: 'nonce', account: nonceAccount(payer, lifetime.index), value: lifetime.value },
    actions: plan.steps.map((step) => actionOf(step, payer)),
    computeLimit,
    computePrice,
  }
}

function actionOf(step: SolanaTransaction['steps'][number], payer: string): SolanaAction {
  switch (step.kind) {
    case 'transfer':
      return { kind: step.kind, from: step.from.address, to: step.to, units: step.units }
    case 'transfer_token': {
      const { program, mint, decimals } = step.token
      const toAccount = associatedTokenAccount(step.to, program, mint)
      const { account, units } = step
      return {
        kind: step.kind,
        program,
        mint,
        decimals,
        account,
        owner: step.from.address,
        toAccount,
        units,
      }
    }
    case 'open': {
      const { kind, program, mint, owner } = step
      return { kind, program, mint, owner, account: associatedTokenAccount(owner, program, mint) }
    }
    case 'close':
      return { kind: step.kind, program: step.program, account: step.account, owner: step.owner.address }
    case 'memo':
      return { kind: step.kind, text: step.text }
    case 'create_nonce': {
      const { kind, index, units } = step
      return { kind, index, account: nonceAccount(payer, index), units }
    }
  }
}

const maxUnits = 2n ** 64n - 1n
const maxDecimals = 255
// The network's limit for a transaction.
const maxComputeLimit = 1_400_000n
/** The highest index of a nonce account. */
export const maxNonceIndex = 9_999
const maxActions = 64
// More signatures do not fit into a transaction.
const maxSigners = 12
/**
 * The longest memo. A transaction of 1,232 bytes that opens a token account and pays it leaves 680 for one.
 */
export const maxMemoBytes = 512

/** Why we never make or accept a transaction with this content; null if there is no reason. */
export function faultIn({
  payer,
  lifetime,
  actions,
  computeLimit,
  computePrice,
}: SolanaContent): string | null {
  if (computeLimit <= 0n || computeLimit > maxComputeLimit)
    return `The compute limit must be positive and at most ${maxComputeLimit}.`
  if (computePrice < 0n || computePrice > maxUnits)
    return 'The compute price must not be negative and must be below 2^64.'
  const named = [payer, lifetime.value, ...(lifetime.kind === 'nonce' ? [lifetime.account] : [])]
  const wrong = named.find((each) => decodePublicKey(each) === null)
  if (wrong !== undefined) return `"${wrong}" is neither an address nor a hash.`
  if (actions.length > maxActions) return `A transaction has at most ${maxActions} steps.`
  const signers = new Set([payer, ...actions.flatMap(signersIn)])
  if (signers.size > maxSigners) return `A transaction has at most ${maxSigners} signers.`
  if (actions.filter(({ kind }) => kind === 'memo').length > 1) return 'A transaction has at most one memo.'
  // An address is created only once, so these may be signed anew with another hash. Nothing else may.
  const isCreating = actions.length > 0 && actions.every(({ kind }) => kind === 'create_nonce')
  if (lifetime.kind === 'blockhash' && !isCreating)
    return 'Only the creation of nonce accounts may depend on the hash of a block.'
  if (lifetime.kind === 'nonce' && actions.some(({ kind }) => kind === 'create_nonce'))
    return 'Nonce accounts are created by a transaction without a nonce.'
  return actions.map(faultInAction).find((fault) => fault !== null) ?? null
}

function signersIn(action: SolanaAction): readonly string[] {
  if (action.kind === 'transfer') return [action.from]
  return action.kind === 'transfer_token' || action.kind === 'close' ? [action.owner] : []
}

function faultInAction(action: SolanaAction): string | null {
  const texts = Object.entries(action).filter(([name]) => addressFields.has(name))
  const wrong = texts.find(([, value]) => decodePublicKey(String(value)) === null)
  if (wrong !== undefined) return `"${wrong[1]}" is not an address.`
  if ('units' in action && (action.units <= 0n || action.units > maxUnits))
    return 'An amount must be positive and below 2^64.'
  switch (action.kind) {
    case 'transfer':
      if (action.from === action.to) return `${action.from} would pay itself.`
      return isProgram(action.to) ? `${action.to} is a program.` : null
    case 'transfer_token':
      if (!isCount(action.decimals, maxDecimals)) return 'The decimals of a token must be 0 to 255.'
      return action.account === action.toAccount ? `${action.account} would pay itself.` : null
    case 'open':
      return action.account === associatedTokenAccount(action.owner, action.program, action.mint)
        ? null
        : `${action.account} is not the associated token account of ${action.owner}.`
    case 'close':
      return null
    case 'memo': {
      const { length } = Buffer.from(action.text)
      return action.text.isWellFormed() && length > 0 && length <= maxMemoBytes
        ? null
        : `A memo has 1 to ${maxMemoBytes} bytes of UTF-8.`
    }
    case 'create_nonce':
      return isCount(action.index, maxNonceIndex)
        ? null
        : `The index of a nonce account must be 0 to ${maxNonceIndex}.`
  }
}

const addressFields: ReadonlySet<string> = new Set(['from', 'to', 'mint', 'account', 'owner', 'toAccount'])

function isCount(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= max
}
