import type { SignedTransaction, SpendPlan } from '../domain/spends.ts'
import type { ReadTransaction } from '../gates/family.ts'
import { doesAsOnSolana } from './check-solana-bytes.ts'
import type { WalletNetwork } from './wallet.ts'

/**
 * Why signed bytes do not do exactly what was planned; null when they do. Only the bytes leave, so only they decide who is
 * paid, how much, and what the network can take.
 */
export function bytesObjection(
  network: Pick<WalletNetwork, 'family' | 'assets'>,
  plan: SpendPlan,
  { hash, bytes }: SignedTransaction,
): string | null {
  const read = network.family.read(bytes)
  if ('refused' in read) return `The signed bytes cannot be read: ${read.refused}`
  return read.hash === hash && doesAs(network, plan, read)
    ? null
    : 'The signed transaction does not do what was planned.'
}

function doesAs(
  network: Pick<WalletNetwork, 'family' | 'assets'>,
  plan: SpendPlan,
  read: ReadTransaction,
): boolean {
  if (plan.kind === 'solana') return read.kind === 'solana' && doesAsOnSolana(network, plan, read)
  if (plan.kind === 'coins')
    return (
      read.kind === 'coins' &&
      read.inputs.length === plan.inputs.length &&
      read.outputs.length === plan.outputs.length &&
      plan.inputs.every(
        ({ txHash, outputIndex }, at) =>
          read.inputs[at]?.txHash === txHash && read.inputs[at]?.outputIndex === outputIndex,
      ) &&
      plan.outputs.every(
        ({ address, units }, at) =>
          read.outputs[at]?.address === address && read.outputs[at]?.units === units,
      )
    )
  return (
    read.kind === 'account' &&
    read.from === plan.from.address &&
    read.nonce === plan.nonce &&
    read.to.address === plan.to.address &&
    read.to.tag === plan.to.tag &&
    read.contractAddress === plan.contractAddress &&
    read.units === plan.units &&
    read.gasLimit === plan.gasLimit &&
    read.gasPrice === plan.gasPrice
  )
}
