import { isDeepStrictEqual } from 'node:util'
import { isCancelling, maxFeeOf, type SolanaPlan } from '../domain/spends.ts'
import { type Family, fullConsent } from '../gates/family.ts'
import type { GateAsset } from '../gates/gate.ts'
import type { SolanaAction } from '../gates/solana/actions.ts'
import type { SolanaReading } from '../gates/solana/read-transaction.ts'

/** Whether signed bytes do exactly what a plan says, by accounts and tokens that the signer finds itself. */
export function doesAsOnSolana(
  { family, assets }: { readonly family: Family; readonly assets: readonly GateAsset[] },
  plan: SolanaPlan,
  read: SolanaReading,
): boolean {
  const { spending } = family
  if (spending.kind !== 'solana' || spending.hotAddress === null) return false
  const { lifetime } = plan
  const expected =
    lifetime.kind === 'nonce'
      ? { kind: 'nonce', account: spending.nonceAccount(lifetime.index), value: lifetime.value }
      : { kind: 'blockhash', value: lifetime.blockhash }
  const actions = actionsOf(family, assets, plan)
  return (
    actions !== null &&
    plan.from.address === spending.hotAddress &&
    read.payer === spending.hotAddress &&
    isDeepStrictEqual(read.lifetime, expected) &&
    isDeepStrictEqual(read.actions, actions) &&
    read.computeLimit === plan.computeLimit &&
    read.computePrice === plan.computePrice &&
    read.feeUnits + plan.rentUnits === maxFeeOf(plan)
  )
}

/** Everything that the bytes of a plan may do, in order; null for a plan that no bytes can carry out. */
function actionsOf(
  { spending, parseDestination }: Family,
  assets: readonly GateAsset[],
  plan: SolanaPlan,
): readonly SolanaAction[] | null {
  if (spending.kind !== 'solana') return null
  const { from, to, lifetime, sources, rentUnits, units } = plan
  const memo: SolanaAction[] = to.tag === null ? [] : [{ kind: 'memo', text: to.tag }]
  if (memo.length > 0 && (plan.payoutId === null || sources !== undefined || units === 0n)) return null
  if (lifetime.kind === 'creation') {
    const account = spending.nonceAccount(lifetime.index)
    const isOnly = units === 0n && sources === undefined && to.address === account
    return isOnly ? [{ kind: 'create_nonce', index: lifetime.index, account, units: rentUnits }] : null
  }
  if (isCancelling(plan)) return sources === undefined && rentUnits === 0n ? [] : null
  const payers = sources ?? [{ address: from.address, units }]
  const sum = payers.reduce((total, payer) => total + payer.units, 0n)
  const asset = assets.find(({ currency }) => currency === plan.currency)
  if (sum !== units || asset === undefined || asset.contractAddress !== plan.contractAddress) return null
  const token = spending.tokenOf(asset)
  if (!isDeepStrictEqual(plan.token, token)) return null
  const mint = asset.contractAddress
  if (token === null || mint === null)
    return rentUnits === 0n
      ? [
          ...payers.map((payer) => ({
            kind: 'transfer' as const,
            from: payer.address,
            to: to.address,
            units: payer.units,
          })),
          ...memo,
        ]
      : null
  if ([...payers, to].some(({ address }) => parseDestination(address, null, fullConsent) === null))
    return null
  const { program, decimals } = token
  const toAccount = spending.tokenAccount(to.address, asset)
  const opening: SolanaAction = { kind: 'open', program, mint, owner: to.address, account: toAccount }
  const moving = payers.flatMap((payer): SolanaAction[] => {
    const owner = payer.address
    const account = spending.tokenAccount(owner, asset)
    return [
      {
        kind: 'transfer_token',
        program,
        mint,
        decimals,
        account,
        owner,
        toAccount,
        units: payer.units,
      },
      ...(sources === undefined ? [] : [{ kind: 'close', program, account, owner } as const]),
    ]
  })
  return [...(rentUnits > 0n ? [opening] : []), ...moving, ...memo]
}
