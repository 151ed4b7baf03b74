import type { AccountPlan } from '../../domain/spends.ts'
import type { AccountRefilling, SignedTransfer, UnsignedTransfer } from '../account-refill.ts'
import { type EvmRequest, unsignedForm } from './envelope.ts'
import { hexOf } from './hex.ts'
import { readRefillFile } from './refill-file.ts'
import type { TransactionKind } from './sign.ts'
import { requestOf } from './transaction.ts'
import { isTransferCall } from './transfer-call.ts'

export type EvmRefillOptions = { readonly chainId: number; readonly transactions: TransactionKind }

/** Transfers from the operator's cold wallet. The operator may choose another fee: wallets do so by themselves. */
export function evmRefilling({ chainId, transactions }: EvmRefillOptions): AccountRefilling {
  const isLegacy = transactions === 'legacy'

  function requestFor(plan: AccountPlan, gasTip: bigint | null): EvmRequest {
    const { nonce, to, contractAddress, units, gasLimit, gasPrice } = plan
    return requestOf({ chainId, nonce, to: to.address, contractAddress, units, gasLimit, gasPrice, gasTip })
  }

  return {
    chainId,
    write(plan, gasTip) {
      const request = requestFor(plan, isLegacy ? null : gasTip)
      return { transaction: fieldsOf(plan.from.address, request), unsigned: hexOf(unsignedForm(request)) }
    },
    read: readRefillFile,
    difference: (plan, signed) => differenceTo(plan, signed, chainId, isLegacy),
    isSame({ to, contractAddress, units }, used) {
      const hot = to.address.toLowerCase()
      if (contractAddress === null) return used.to === hot && used.value === units
      return used.value === 0n && isTransferCall(used, contractAddress.toLowerCase(), to.address, units)
    },
  }
}

function fieldsOf(from: string, request: EvmRequest): UnsignedTransfer['transaction'] {
  const { chainId, nonce, to, value, data, gasLimit, gasPrice, gasTip } = request
  const number = (of: bigint) => `0x${of.toString(16)}`
  const price =
    gasTip === null
      ? { type: '0x0', gasPrice: number(gasPrice) }
      : { type: '0x2', maxFeePerGas: number(gasPrice), maxPriorityFeePerGas: number(gasTip) }
  return {
    from,
    to,
    value: number(value),
    data,
    nonce: number(nonce),
    chainId: number(BigInt(chainId)),
    gas: number(gasLimit),
    ...price,
  }
}

function differenceTo(
  plan: AccountPlan,
  signed: SignedTransfer,
  chainId: number,
  isLegacy: boolean,
): string | null {
  if (signed.chainId !== chainId) return `It is signed for chain ${signed.chainId}, not ${chainId}.`
  if ((signed.gasTip === null) !== isLegacy)
    return isLegacy
      ? 'It is of type 2 (EIP-1559); this network takes legacy transactions alone.'
      : 'It is a legacy transaction (type 0), not one of type 2 (EIP-1559).'
  if (signed.from !== plan.from.address)
    return `It is signed by ${signed.from}, not by your cold wallet ${plan.from.address}.`
  if (signed.nonce !== plan.nonce) return `Its nonce is ${signed.nonce}, not ${plan.nonce}.`
  if (signed.contractAddress !== plan.contractAddress)
    return `It moves ${whatOf(signed.contractAddress)}, not ${whatOf(plan.contractAddress)}.`
  if (signed.to !== plan.to.address)
    return `It pays ${signed.to}, not your hot wallet ${plan.to.address}. DO NOT SEND IT.`
  if (signed.units !== plan.units) return `It moves ${signed.units} units, not ${plan.units}.`
  return null
}

function whatOf(contractAddress: string | null): string {
  return contractAddress === null ? 'native currency' : `the token at ${contractAddress}`
}
