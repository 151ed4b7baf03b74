import type { SolanaStep, SolanaToken, SolanaTransaction } from '../../domain/solana-transaction.ts'
import { isCancelling, type SolanaPlan } from '../../domain/spends.ts'
import { associatedTokenAccount } from './derived-address.ts'

/** The transaction that carries a plan out. Throws when the plan contradicts itself. */
export function transactionOf(plan: SolanaPlan): SolanaTransaction {
  const { from: payer, lifetime, computeLimit, computePrice } = plan
  return {
    payer,
    lifetime:
      lifetime.kind === 'nonce'
        ? { kind: 'nonce', index: lifetime.index, value: lifetime.value }
        : { kind: 'blockhash', value: lifetime.blockhash },
    steps: stepsOf(plan),
    computeLimit,
    computePrice,
  }
}

function stepsOf(plan: SolanaPlan): readonly SolanaStep[] {
  const { lifetime, units, contractAddress: mint, token: known, sources, rentUnits } = plan
  if (lifetime.kind === 'creation') {
    if (units !== 0n || mint !== null || sources !== undefined || plan.to.tag !== null)
      throw new RangeError('A plan that creates a nonce account pays no one.')
    return [{ kind: 'create_nonce', index: lifetime.index, units: rentUnits }]
  }
  if (plan.to.tag !== null && (sources !== undefined || plan.payoutId === null))
    throw new RangeError('Only a payout has a memo.')
  if ((mint === null) !== (known === null)) throw new RangeError('A token has a mint and a program.')
  if (mint === null && rentUnits !== 0n) throw new RangeError('A transfer of SOL opens no account.')
  if (isCancelling(plan)) {
    if (mint !== null || sources !== undefined || plan.to.tag !== null)
      throw new RangeError('A plan that cancels moves nothing.')
    return []
  }
  if (sources !== undefined && sources.reduce((sum, source) => sum + source.units, 0n) !== units)
    throw new RangeError('The sources of the plan do not add up.')
  const moving = mint === null || known === null ? moveCoins(plan) : moveTokens(plan, { ...known, mint })
  return plan.to.tag === null ? moving : [...moving, { kind: 'memo', text: plan.to.tag }]
}

function moveCoins({ from, to, units, payoutId, sources }: SolanaPlan): readonly SolanaStep[] {
  if (sources === undefined) return [{ kind: 'transfer', from, to: to.address, units, payoutId }]
  return sources.map((source) => ({
    kind: 'transfer',
    from: source,
    to: to.address,
    units: source.units,
    payoutId,
  }))
}

function moveTokens(
  { from, to, units, payoutId, sources, rentUnits }: SolanaPlan,
  token: SolanaToken,
): readonly SolanaStep[] {
  const { program, mint } = token
  const owner = to.address
  const opening: SolanaStep[] = rentUnits === 0n ? [] : [{ kind: 'open', program, mint, owner, rentUnits }]
  const accountOf = (address: string) => associatedTokenAccount(address, program, mint)
  const pay = (source: typeof from, sent: bigint): SolanaStep => ({
    kind: 'transfer_token',
    token,
    account: accountOf(source.address),
    from: source,
    to: owner,
    units: sent,
    payoutId,
  })
  if (sources === undefined) return [...opening, pay(from, units)]
  return [
    ...opening,
    ...sources.flatMap((source): SolanaStep[] => [
      pay(source, source.units),
      { kind: 'close', program, account: accountOf(source.address), owner: source },
    ]),
  ]
}
