import { base64 } from '@scure/base'
import { formatDecimal } from '../../domain/money.ts'
import { hotKey, type SolanaPlan } from '../../domain/spends.ts'
import type { GateAsset, TransferSimulation } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { contentOf, faultIn, type SolanaContent } from './actions.ts'
import { accountRentOf } from './budgets.ts'
import { associatedTokenAccount, systemProgram } from './derived-address.ts'
import { messageOf } from './message.ts'
import {
  askAccounts,
  destinationFault,
  destinationOf,
  type NodeAccount,
  readAccount,
  readContext,
  tokenAccountIn,
} from './node-accounts.ts'
import { readCount } from './node-answers.ts'
import { readRent } from './node-nonces.ts'
import { failureOf } from './node-refusals.ts'
import { transactionOf as bytesOf } from './sign-transaction.ts'
import { transactionOf } from './transaction-of.ts'

/** A transfer to simulate. */
export type SimulatedTransfer = {
  /** Who pays the fee and the rent. */
  readonly hotAddress: string
  /** The hot wallet, or a deposit address, which is then emptied. */
  readonly from: string
  readonly to: string
  readonly asset: GateAsset
  readonly token: SolanaPlan['token']
  readonly units: bigint
  readonly memo: string | null
}

// The newest state that two thirds of the network have voted for.
const commitment = 'confirmed'
// The network's limit for a transaction.
const mostCompute = 1_400_000n
/** What advancing the nonce takes, which is not simulated: each native instruction takes as much. */
const advanceCompute = 150n
// Where the receiver's token account is among the accounts that are asked for.
const receivingAt = 1

/**
 * Simulates a transfer without signatures, as it would be signed but for the nonce, which may not exist yet. Opens the
 * receiver's token account where there is none.
 */
export async function nodeSimulation(rpc: NodeRpc, call: SimulatedTransfer): Promise<TransferSimulation> {
  const { to, token, asset, units } = call
  const mint = asset.contractAddress
  const receiving = token === null || mint === null ? null : associatedTokenAccount(to, token.program, mint)
  const { accounts } = await askAccounts(rpc, receiving === null ? [to] : [to, receiving], commitment)
  const fault = destinationFault(destinationOf(accounts[0] ?? null))
  if (fault !== null) return { refused: `the receiver cannot be paid: ${fault}` }
  const before = accounts[receivingAt] ?? null
  const held = before === null ? null : tokenAccountIn(before)
  // A receiver can hand the account to another owner, who would then get the tokens.
  if (held !== null && held.owner !== to)
    return { refused: `the receiver’s token account ${receiving} is owned by another address, ${held.owner}` }
  const opens = receiving !== null && held === null
  const content = contentOf(transactionOf(planOf(call, opens)))
  const wrong = faultIn(content)
  if (wrong !== null) return { refused: wrong.replace(/\.$/, '') }
  const simulated = await simulate(rpc, content, receiving === null ? [] : [receiving])
  if ('err' in simulated)
    return { refused: failureIn(simulated, { isNew: accounts[0] == null, isNative: receiving === null }) }
  const gas = simulated.units + advanceCompute
  if (receiving === null) return { gas }
  const after = simulated.accounts[0] ?? null
  // Moving tokens within one account changes nothing.
  const arrived = tokensIn(after) - (held?.units ?? 0n)
  if (arrived !== units && call.from !== to) return { refused: notAll(units, arrived, asset.decimals) }
  if (!opens) return { gas }
  const bytes = after?.data.length ?? 0
  const planned = token === null ? 0n : accountRentOf(token.program)
  const rentUnits = readRent(await rpc.call('getMinimumBalanceForRentExemption', bytes), planned)
  return rentUnits > planned
    ? {
        refused: `opening the receiver’s token account takes ${rentUnits} lamports, more than is planned for it`,
      }
    : { gas, opensAccount: true }
}

/** The plan that would carry it out, except for its lifetime. */
function planOf(
  { hotAddress, from, to, asset, token, units, memo }: SimulatedTransfer,
  opens: boolean,
): SolanaPlan {
  const isSweep = from !== hotAddress
  return {
    kind: 'solana',
    from: { address: hotAddress, key: hotKey },
    to: { address: to, tag: memo },
    currency: asset.currency,
    contractAddress: asset.contractAddress,
    units,
    // A memo goes with a payout; which one it is does not matter here.
    payoutId: memo === null ? null : '',
    lifetime: { kind: 'nonce', index: 0, value: systemProgram },
    token,
    // A signature is needed, but which key it is by does not matter here.
    ...(isSweep && { sources: [{ address: from, key: { chain: 'deposit', index: 0 }, units }] }),
    rentUnits: opens && token !== null ? accountRentOf(token.program) : 0n,
    computeLimit: mostCompute,
    computePrice: 0n,
  }
}

type Simulated =
  | { readonly units: bigint; readonly accounts: readonly (NodeAccount | null)[] }
  | { readonly err: unknown; readonly logs: unknown }

async function simulate(
  rpc: NodeRpc,
  content: SolanaContent,
  addresses: readonly string[],
): Promise<Simulated> {
  // Any hash will do: the node puts the newest in its place.
  const message = messageOf({ ...content, lifetime: { kind: 'blockhash', value: systemProgram } })
  const answer = await rpc.call('simulateTransaction', base64.encode(bytesOf(message, [])), {
    encoding: 'base64',
    commitment,
    sigVerify: false,
    replaceRecentBlockhash: true,
    ...(addresses.length > 0 && { accounts: { encoding: 'base64', addresses } }),
  })
  const { value } = readContext(answer)
  const { err, logs, unitsConsumed, accounts } = (value ?? {}) as Record<string, unknown>
  if (err === undefined) return unbelievable('it does not say whether a simulation succeeded')
  if (err !== null) return { err, logs }
  const shown = accounts ?? []
  if (!Array.isArray(shown) || shown.length !== addresses.length)
    return unbelievable('a simulation does not show the accounts that were asked for')
  return {
    units: BigInt(readCount(unitsConsumed, 'a simulation does not say what it takes')),
    accounts: shown.map(readAccount),
  }
}

/** Why a simulated transfer failed. A receiver that does not exist yet is the usual reason for too little rent. */
function failureIn(
  { err, logs }: { readonly err: unknown; readonly logs: unknown },
  { isNew, isNative }: { readonly isNew: boolean; readonly isNative: boolean },
): string {
  const rent = (err as { InsufficientFundsForRent?: { account_index?: unknown } } | null)
    ?.InsufficientFundsForRent
  if (rent === undefined) return failureOf(err, logs)
  if (rent?.account_index === 0) return 'the hot wallet would be left with too little SOL to exist'
  return isNew && isNative
    ? 'the receiver’s account does not exist yet, and the amount is too small to open it'
    : failureOf(err, logs)
}

function tokensIn(account: NodeAccount | null): bigint {
  return (account === null ? null : tokenAccountIn(account))?.units ?? 0n
}

/** The receiver is promised exactly the amount, which a token that keeps a share cannot deliver. */
function notAll(units: bigint, arrived: bigint, decimals: number): string {
  const [sent, got] = [units, arrived > 0n ? arrived : 0n].map((each) => formatDecimal(each, decimals))
  return `the token takes a fee or changes amounts: of ${sent} sent, ${got} would arrive`
}
