import { expect } from 'vitest'
import type { TokenProgram } from '../../../src/domain/solana-transaction.ts'
import type { Fate, SignedTransaction, SolanaPlan } from '../../../src/domain/spends.ts'
import type { GateAsset, NodeGate, SolanaSpending } from '../../../src/gates/gate.ts'
import { solanaFamily } from '../../../src/gates/solana/family.ts'
import { solanaNodeGate } from '../../../src/gates/solana/node-gate.ts'
import { solanaRpc } from '../../../src/gates/solana/node-rpc.ts'
import { signSolanaTransaction } from '../../../src/gates/solana/sign-transaction.ts'
import { transactionOf } from '../../../src/gates/solana/transaction-of.ts'
import { networkOf } from '../../support/shop/registry.ts'
import { deposits, hot, keyOf } from './plans.ts'

export const family = solanaFamily({ hotAddress: hot.address })
/** The prices that the operator allows, in millionths of a lamport. */
export const prices = { floor: 100n, ceiling: 50_000n }
const timeoutMs = 5_000

export const sol: GateAsset = { currency: 'SOL', contractAddress: null, decimals: 9 } as unknown as GateAsset
/** A token with this mint. */
export function tokenAt(mint: string, tokenProgram: TokenProgram = 'token'): GateAsset {
  return { currency: 'USDC', contractAddress: mint, decimals: 6, tokenProgram } as unknown as GateAsset
}

type SpendingGate = Required<
  Pick<
    NodeGate,
    'simulateTransfer' | 'destinationFault' | 'nonceAccounts' | 'nativeBalance' | 'paymentTransaction'
  >
> &
  NodeGate

/** A gate on these nodes. */
export function openGate(
  urls: readonly string[],
  {
    assets = [sol],
    agreement = 1,
    warnings = [],
  }: {
    readonly assets?: readonly GateAsset[]
    readonly agreement?: number
    readonly warnings?: string[]
  } = {},
): { readonly gate: SpendingGate; close(): void } {
  const endpoints = urls.map((url, at) => ({ place: `node ${at}`, rpc: solanaRpc({ url, timeoutMs }) }))
  const gate = solanaNodeGate({
    network: networkOf('solana'),
    environment: 'test',
    keychain: 'solana-test',
    family,
    assets,
    agreement,
    endpoints,
    prices,
    genesis: null,
    commitment: 'finalized',
    showsUnfinal: false,
    warn: (words) => warnings.push(words),
  })
  const close = () => {
    for (const { rpc } of endpoints) rpc.close()
  }
  return { gate: gate as SpendingGate, close }
}

type Lifetime = SolanaPlan['lifetime']
type Given = Partial<Pick<SolanaPlan, 'rentUnits' | 'computePrice' | 'sources'>>

const common = {
  kind: 'solana',
  from: hot,
  payoutId: null,
  rentUnits: 0n,
  computeLimit: 200_000n,
  computePrice: 5n,
} as const

/** Pays from the hot wallet; with sources, from those. */
export function paying(
  lifetime: Lifetime,
  to: string,
  { currency, contractAddress, decimals, tokenProgram = 'token' }: GateAsset,
  units: bigint,
  given: Given = {},
): SolanaPlan {
  return {
    ...common,
    lifetime,
    to: { address: to, tag: null },
    currency,
    contractAddress,
    units,
    token: contractAddress === null ? null : { program: tokenProgram, decimals },
    ...given,
  }
}

/** Empties deposit addresses into the hot wallet. */
export function sweeping(lifetime: Lifetime, asset: GateAsset, amounts: readonly bigint[]): SolanaPlan {
  const sources = amounts.map((units, at) => ({ ...(deposits[at] ?? hot), units }))
  const sum = amounts.reduce((total, units) => total + units, 0n)
  return paying(lifetime, hot.address, asset, sum, { sources })
}

/** Uses up a nonce. */
export function cancelling(lifetime: Lifetime): SolanaPlan {
  return paying(lifetime, hot.address, sol, 0n)
}

/** Creates a nonce account. */
export function creating(
  index: number,
  given: { readonly blockhash: string; readonly lastValidHeight: bigint; readonly rentUnits: bigint },
): SolanaPlan {
  const { blockhash, lastValidHeight, rentUnits } = given
  const account = (family.spending as SolanaSpending).nonceAccount(index)
  return paying({ kind: 'creation', index, blockhash, lastValidHeight }, account, sol, 0n, { rentUnits })
}

/** A signed plan, as a candidate and as what is sent. */
export type Attempt = SignedTransaction & { readonly plan: SolanaPlan }

export function signed(plan: SolanaPlan): Attempt {
  // Not by the family, which refuses destinations that others may well pay.
  return { ...signSolanaTransaction(transactionOf(plan), keyOf), plan }
}

/** The fate of attempts once it is more than unknown or waiting. */
export async function decided(gate: Pick<NodeGate, 'fate'>, ...attempts: readonly Attempt[]): Promise<Fate> {
  let fate: Fate = { kind: 'unknown' }
  await expect
    .poll(async () => {
      fate = await gate.fate(attempts)
      return fate.kind
    })
    .toMatch(/mined|ruled_out/)
  return fate
}
