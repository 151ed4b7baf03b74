import { type Address, address } from '@solana/addresses'
import { AccountRole, type Instruction } from '@solana/instructions'
import { solanaFee } from '../../domain/solana-transaction.ts'
import {
  type GateAsset,
  GateOutageError,
  nativeOf,
  type PaymentOrder,
  type PaymentTransaction,
  type SolanaSpending,
} from '../gate.ts'
import { type NodeRpc, RpcRefusal, resultOf } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import type { SolanaAction } from './actions.ts'
import { decodePublicKey } from './address.ts'
import { payoutBudget, tokenAccountRent, walletRent } from './budgets.ts'
import { systemProgram } from './derived-address.ts'
import { computeInstructions, instructionsOf } from './instructions.ts'
import { compiledMessage } from './message.ts'
import { askAccounts, destinationOf, type NodeAccount, readContext, tokenAccountIn } from './node-accounts.ts'
import { type ComputePrices, nodeFeeRate } from './node-fees.ts'
import { readRent } from './node-nonces.ts'
import { paymentReference } from './payment-link.ts'
import { transactionOf } from './sign-transaction.ts'

export type NodePaymentOptions = {
  readonly spending: SolanaSpending
  readonly assets: readonly GateAsset[]
  readonly prices: ComputePrices
}

// The newest state that two thirds of the network have voted for. A hash of it is accepted longer than a final one.
const commitment = 'confirmed'
// Token-2022 adds what a mint asks of every account.
const accountBytes = { token: 165, 'token-2022': 256 } as const
// Some wallets add instructions of their own, which guard the payer. They have to fit into the limit too.
const forWallets = 50_000n

/**
 * The transaction request of Solana Pay: an unsigned legacy transaction in which the payer pays exactly these units to the
 * deposit address, and nothing else. Tokens go from the payer's associated token account to that of the deposit address, which
 * the payer opens where there is none. The transfer comes last and names the invoice's reference.
 */
export async function nodePayment(
  rpc: NodeRpc,
  order: PaymentOrder,
  options: NodePaymentOptions,
): Promise<PaymentTransaction> {
  try {
    return await makePayment(rpc, order, options)
  } catch (cause) {
    // Every node can answer these calls. One that refuses is no reason to tell the payer that the service is broken.
    if (!(cause instanceof RpcRefusal)) throw cause
    throw new GateOutageError(`The node refuses to say what a payment takes: ${cause.message}`, { cause })
  }
}

async function makePayment(
  rpc: NodeRpc,
  order: PaymentOrder,
  { spending, assets, prices }: NodePaymentOptions,
): Promise<PaymentTransaction> {
  const { payer, to, asset, units } = order
  const native = nativeOf(assets)
  const token = tokenSide(spending, order)
  const { accounts } = await askAccounts(
    rpc,
    [payer, to.address, ...(token === null ? [] : [token.from, token.to])],
    commitment,
  )
  const [paying = null, receiving = null, tokensFrom = null, tokensTo = null] = accounts
  if (!['wallet', 'nothing'].includes(destinationOf(paying).kind)) return { refused: 'not_a_wallet' }
  const held = paying?.units ?? 0n

  const { computeLimit: least } = payoutBudget(token?.program ?? null, null)
  const computeLimit = least + forWallets
  const written = token === null ? [payer, to.address] : [payer, token.from, token.to]
  const [{ blockhash, walletRentUnits, tokenRentUnits }, computePrice] = await Promise.all([
    askTerms(rpc, accountBytes[token?.program ?? 'token']),
    nodeFeeRate(rpc, written, prices),
  ])
  const fee = solanaFee(1, computeLimit, computePrice)

  if (token !== null) {
    const tokens = tokensOf(tokensFrom, payer, token.mint)
    if (tokens < units) return { refused: 'short', asset, neededUnits: units, heldUnits: tokens }
  } else if (receiving === null && units < walletRentUnits) return { refused: 'too_small' }
  // Lamports that were sent to a token account's address in advance count towards its rent.
  const opening =
    token === null || (tokensTo !== null && tokenAccountIn(tokensTo) !== null)
      ? 0n
      : positive(tokenRentUnits - (tokensTo?.units ?? 0n))
  const spent = (token === null ? units : opening) + fee
  // An account keeps enough for its own rent, or nothing at all.
  if (held !== spent && held < spent + walletRentUnits)
    return { refused: 'short', asset: native, neededUnits: spent + walletRentUnits, heldUnits: held }

  const message = compiledMessage(payer, { kind: 'blockhash', value: blockhash }, [
    ...computeInstructions(computeLimit, computePrice),
    ...withReference(
      actionsOf(order, token).flatMap((action) => instructionsOf(action, payer)),
      paymentReference(order.invoiceId),
    ),
  ])
  return { bytes: transactionOf(message, []) }
}

type TokenSide = {
  readonly program: 'token' | 'token-2022'
  readonly mint: string
  readonly decimals: number
  readonly from: Address
  readonly to: Address
}

function tokenSide(spending: SolanaSpending, { payer, to, asset }: PaymentOrder): TokenSide | null {
  const token = spending.tokenOf(asset)
  if (token === null || asset.contractAddress === null) return null
  return {
    program: token.program,
    mint: asset.contractAddress,
    decimals: token.decimals,
    from: address(spending.tokenAccount(payer, asset)),
    to: address(spending.tokenAccount(to.address, asset)),
  }
}

function actionsOf({ payer, to, units }: PaymentOrder, token: TokenSide | null): readonly SolanaAction[] {
  if (token === null) return [{ kind: 'transfer', from: payer, to: to.address, units }]
  const { program, mint, decimals } = token
  return [
    { kind: 'open', program, mint, owner: to.address, account: token.to },
    {
      kind: 'transfer_token',
      program,
      mint,
      decimals,
      account: token.from,
      owner: payer,
      toAccount: token.to,
      units,
    },
  ]
}

/** The last instruction also names a key that it neither reads nor writes. Programs ignore it, and nodes index it. */
function withReference(instructions: readonly Instruction[], reference: string): readonly Instruction[] {
  return instructions.map((instruction, at) =>
    at < instructions.length - 1
      ? instruction
      : {
          ...instruction,
          accounts: [
            ...(instruction.accounts ?? []),
            { address: address(reference), role: AccountRole.READONLY },
          ],
        },
  )
}

/** The hash of a recent block, and the rents of a wallet and of a token account. */
async function askTerms(rpc: NodeRpc, tokenAccountBytes: number) {
  const [latest, ofWallet, ofTokens] = await rpc.batch([
    ['getLatestBlockhash', { commitment }],
    ['getMinimumBalanceForRentExemption', 0],
    ['getMinimumBalanceForRentExemption', tokenAccountBytes],
  ])
  const { value } = readContext(resultOf(latest))
  const { blockhash } = (value ?? {}) as Record<string, unknown>
  // The payer signs these bytes: what is no hash must not get into them.
  if (typeof blockhash !== 'string' || blockhash === systemProgram || decodePublicKey(blockhash) === null)
    return unbelievable('it has no recent block')
  return {
    blockhash,
    walletRentUnits: readRent(resultOf(ofWallet), walletRent),
    tokenRentUnits: readRent(resultOf(ofTokens), tokenAccountRent),
  }
}

/** The tokens that the payer can send; none where the account has another owner by now. */
function tokensOf(account: NodeAccount | null, owner: string, mint: string): bigint {
  const found = account === null ? null : tokenAccountIn(account)
  return found !== null && found.owner === owner && found.mint === mint ? found.units : 0n
}

function positive(units: bigint): bigint {
  return units > 0n ? units : 0n
}
