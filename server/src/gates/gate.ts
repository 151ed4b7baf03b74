import type { Asset } from '../domain/assets.ts'
import type { Block, BlockRef, Transfer } from '../domain/chain.ts'
import type { Environment } from '../domain/environment.ts'
import { OutageError } from '../domain/errors.ts'
import type { GateId, Network } from '../domain/networks/network.ts'
import type { Fate, SignedTransaction, SpendPlan } from '../domain/spends.ts'
import type { NonceUse, SigningTerms } from './account-refill.ts'
import type { DepositAddress, Family, Spending } from './family.ts'

export type {
  AccountRefilling,
  NonceUse,
  SignedTransfer,
  SigningTerms,
  UnsignedTransfer,
} from './account-refill.ts'
export { type Consent, fullConsent, noConsent } from './family.ts'

/** The kinds of spending: from coins, and from accounts, whose transactions are numbered or hold a nonce account. */
export type CoinSpending = Extract<Spending, { readonly kind: 'coins' }>
export type AccountSpending = Extract<Spending, { readonly kind: 'account' }>
export type SolanaSpending = Extract<Spending, { readonly kind: 'solana' }>
/** Spending from accounts, with a hot wallet. */
export type HotSpending = AccountSpending | SolanaSpending

/** A currency on this gate's network in this environment. */
export type GateAsset = Asset & { readonly currency: string }

/** Tells which addresses are ours. A gate asks once per block, however large the block and however many addresses we have. */
export type WatchedAddresses = {
  among(addresses: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * The same for case-insensitive addresses: takes them in lower case, and returns them in canonical form. Converting every
   * address in a block to EIP-55 form would take longer than the rest of the block's processing.
   */
  amongLower(addresses: readonly string[]): Promise<ReadonlySet<string>>
}

/** Watches no address, for reading blocks without looking for payments. */
export const noAddresses: WatchedAddresses = {
  among: async () => new Set(),
  amongLower: async () => new Set(),
}

/** An output of a transaction, and its amount. */
export type Output = { readonly txHash: string; readonly outputIndex: number; readonly units: bigint }

/** Which outputs are unspent, by `coinName`, all as of one block. */
export type Unspent = {
  /** The hash of that block, the chain's newest at the time. */
  readonly tipHash: string
  /** Spent neither in a block nor in the mempool. */
  readonly free: ReadonlySet<string>
  /** Spent by a transaction in the mempool. */
  readonly beingSpent: ReadonlySet<string>
  /** Unspent, but with a different amount from the one asked for. */
  readonly different: ReadonlySet<string>
}

/**
 * One network in one environment: its addresses, and its chain as one node sees it right now. It is pull-only and keeps
 * nothing between calls that its node could not answer again, so the follower may stop, start and repeat at any time. A
 * call that gets no answer in bounded time throws a `GateOutageError`.
 */
export type Gate = Family & {
  readonly id: GateId
  readonly network: Network
  readonly environment: Environment
  /** The keychain of its deposit addresses. Gates that share one never give out the same address twice. */
  readonly keychain: string
  /**
   * The chain it is on. A database follows only one chain under a gate's id, for good. Null until the node has named it,
   * where only the node knows.
   */
  readonly chain: string | null
  readonly assets: readonly GateAsset[]
  /** Set when its chain is simulated, so that test helpers may control it. */
  readonly simulated: {
    /** A transaction that brings funds from nowhere, with bytes where coins are spent. */
    makeTransaction(outputs: readonly { readonly address: string; readonly units: bigint }[]): {
      readonly hash: string
      readonly bytes: Uint8Array | null
    }
  } | null
  /** The newest block. */
  tip(): Promise<BlockRef>
  /** The block at this height on the node's current branch; null above its tip. */
  block(height: bigint, watched: WatchedAddresses): Promise<Block | null>
  /**
   * The blocks from `first` to `last`, or as many of them from `first` on as the gate reads at once; for gates that read
   * several faster than one by one. Empty above the tip.
   */
  blocks?(first: bigint, last: bigint, watched: WatchedAddresses): Promise<readonly Block[]>
  /** Transfers to us that are in no block yet. One that disappears by the next call was mined, replaced or dropped. */
  pending(watched: WatchedAddresses): Promise<readonly Transfer[]>
  /**
   * The newest block, and the pending transfers on top of exactly that block, in one request; for gates whose node supports
   * it. `pending` is null where the node's answer belongs to another block.
   */
  look?(
    watched: WatchedAddresses,
  ): Promise<{ readonly tip: BlockRef; readonly pending: readonly Transfer[] | null }>
  /** The pause between two polls of its chain while nothing happens, in milliseconds; a second when left out. */
  readonly lookEveryMs?: number
  /** The current fee per unit of size or gas, in the native currency, within the operator's bounds. */
  feeRate(): Promise<bigint>
  /**
   * Why the network accepts no transaction at the operator's highest fee, in words; null when it does. Left out where that
   * cannot happen.
   */
  tooDear?(): Promise<string | null>
  /**
   * Sends signed bytes to the network; safe to repeat. Null when the network accepted them or has them already; otherwise
   * the reason for the refusal, which does not rule out that they are mined later. After an outage they may have been
   * accepted too.
   */
  broadcast(transaction: SignedTransaction): Promise<string | null>
  /**
   * Looks up which outputs are unspent, at most `maxOutputs` at once. Null where the chain cannot answer that: then nothing
   * can be recovered from it.
   */
  readonly unspent: {
    readonly maxOutputs: number
    look(outputs: readonly Output[]): Promise<Unspent>
  } | null
  /**
   * The bytes of transactions in blocks, without witnesses, in the order of `wanted`, at most `maxTransactions` at once; for
   * coins that were known before their transactions were stored. In place of bytes that are not available, the reason in words.
   * Null where no coins are spent.
   */
  readonly transactions: {
    readonly maxTransactions: number
    fetch(
      wanted: readonly { readonly hash: string; readonly block: BlockRef }[],
    ): Promise<readonly (Uint8Array | { readonly refused: string })[]>
    /** One of them with its witnesses, as it can be sent again. */
    fetchWhole(wanted: {
      readonly hash: string
      readonly block: BlockRef
    }): Promise<Uint8Array | { readonly refused: string }>
  } | null
  /** What has become of the transactions signed for one spend, all of which use the same coins or nonce. */
  fate(candidates: readonly { readonly hash: string; readonly plan: SpendPlan }[]): Promise<Fate>
  /** How many transactions of this account are in blocks, which is its next nonce. Zero where coins are spent. */
  nextNonce(address: string): Promise<bigint>
  /**
   * Set where the network chooses the first nonce of an account when it is created (XRP Ledger). Until then its next nonce is
   * zero.
   */
  readonly noncesStartAnywhere?: true
  /**
   * What used a nonce of an account up, in a block; null while nothing has. `hints` are hashes that may be of that transaction,
   * for nodes that no longer know who used it. For networks where the operator's cold wallet is an account.
   */
  nonceUse?(address: string, nonce: bigint, hints: readonly string[]): Promise<NonceUse | null>
  /** What a transaction must state that is signed elsewhere, perhaps hours later. For the same networks. */
  signingTerms?(address: string): Promise<SigningTerms>
  /** An account's balance of the native currency at the newest block; for networks with accounts. */
  nativeBalance?(address: string): Promise<bigint>
  /**
   * Simulates a transfer at the newest block, regardless of the gas price: returns the gas it takes, or why the network would
   * refuse it, in the network's words. For networks with contracts, where a receiver or a token may refuse.
   */
  simulateTransfer?(
    from: string,
    to: string,
    asset: GateAsset,
    units: bigint,
    memo?: string | null,
  ): Promise<TransferSimulation>
  /**
   * Whether the hot wallet can hold an asset: no one can pay it before. For networks with trust lines (XRP Ledger). Whether it
   * could make one now, `simulateTransfer` says of nothing to the issuer.
   */
  canHold?(asset: GateAsset): Promise<boolean>
  /**
   * Why funds sent to an address would be unusable, judging by what is there, in words that continue a sentence; null if it can
   * be paid. For networks where an address alone does not show what it is.
   */
  destinationFault?(address: string): Promise<string | null>
  /**
   * The highest fee for publishing a transfer on another chain, in the native currency and besides gas; with a margin, as the
   * price moves. For networks that publish their data elsewhere (OP stack).
   */
  dataFee?(asset: GateAsset): Promise<bigint>
  /**
   * The native balance of each of these addresses after a block; for networks where funds can arrive without a trace in the
   * block's transactions. Null when the node no longer (or not yet) has that block's state.
   */
  balances?(addresses: readonly string[], block: BlockRef): Promise<ReadonlyMap<string, bigint> | null>
  /**
   * The transaction with which a payer's wallet pays an invoice, for the payer to sign and send; or why this payer cannot. For
   * networks whose wallets ask for one (Solana Pay). It reads the node and writes nothing.
   */
  paymentTransaction?(order: PaymentOrder): Promise<PaymentTransaction>
  /** The hot wallet's nonce accounts; for networks where transactions hold one. */
  readonly nonceAccounts?: {
    /** The values of those that exist, by index, as far as no reorganisation can change them any more. */
    values(indexes: readonly number[]): Promise<ReadonlyMap<number, string>>
    /** What creating one takes: the hash of a recent block, the height until which it counts as recent, and the rent. */
    creation(): Promise<NonceCreation>
  }
}

/** Who pays which invoice, and how much of it. */
export type PaymentOrder = {
  /** The payer's address, accepted by `parseDestination`. */
  readonly payer: string
  readonly to: DepositAddress
  readonly asset: GateAsset
  readonly units: bigint
  readonly invoiceId: string
}

/**
 * An unsigned transaction, or why there is none. `not_a_wallet`: there is something else at the payer's address. `too_small`: the
 * network does not carry so little to an address that holds nothing yet. `short`: the payer holds less of an asset than it takes,
 * fee and rent included.
 */
export type PaymentTransaction =
  | { readonly bytes: Uint8Array }
  | { readonly refused: 'not_a_wallet' | 'too_small' }
  | {
      readonly refused: 'short'
      readonly asset: GateAsset
      readonly neededUnits: bigint
      readonly heldUnits: bigint
    }

/** What creating a nonce account takes. */
export type NonceCreation = {
  readonly blockhash: string
  readonly lastValidHeight: bigint
  readonly rentUnits: bigint
}

/** A gate on a real node. */
export type NodeGate = Gate & {
  /** Asks the node which chain it is on. Throws a `WrongChainError` that names both chains when it is the wrong one. */
  checkChain(): Promise<void>
}

/**
 * The result of a simulated transfer. `mostGas` is its gas if the receiver's token balance becomes zero before it is mined;
 * left out where that makes no difference.
 */
export type TransferSimulation =
  | {
      /** Gas, or compute units. */
      readonly gas: bigint
      readonly mostGas?: bigint
      /** Whether every such transfer takes exactly that, whenever it is mined (XRP Ledger). */
      readonly isExact?: true
      /** Whether it opens the receiver's token account (Solana). */
      readonly opensAccount?: boolean
    }
  | { readonly refused: string }

/** The native asset, in which fees are paid. */
export function nativeOf(assets: readonly GateAsset[]): GateAsset {
  const native = assets.find(({ contractAddress }) => contractAddress === null)
  if (native === undefined) throw new Error('The network has no native asset.')
  return native
}

/** The hot wallet of an account network, if deposits have separate addresses. */
export function hotAddressOf({ spending }: Pick<Gate, 'spending'>): string | null {
  return spending.kind !== 'coins' && !spending.depositsAreHot ? spending.hotAddress : null
}

/** The gate does not answer, or gives an answer that cannot be trusted. */
export class GateOutageError extends OutageError {}

/** There is more to read than one call can: the next call continues. Blocks can be read meanwhile. */
export class StillReadingError extends GateOutageError {}

/** The node is on the wrong chain. None of its answers may be used. */
export class WrongChainError extends GateOutageError {}
