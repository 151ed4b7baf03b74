import { base58 } from '@scure/base'
import { expect, it } from 'vitest'
import { canonicalAddress } from '../../src/gates/evm/address.ts'
import { readContract } from '../../src/gates/xrp/issued-currency.ts'
import { currencies } from '../support/shop/registry.ts'

const contracts = currencies.flatMap(({ code, assets }) =>
  assets.flatMap(({ contractAddress, network }) =>
    contractAddress === null ? [] : [{ code, network: network.id, family: network.family, contractAddress }],
  ),
)

it.each(contracts)(
  'the contract of $code on $network is an address of that network, checksum included',
  (contract) => {
    if (contract.family === 'evm')
      expect(canonicalAddress(contract.contractAddress)).toBe(contract.contractAddress)
    else if (contract.family === 'xrp') expect(readContract(contract.contractAddress)).not.toBeNull()
    else expect(base58.decode(contract.contractAddress)).toHaveLength(32)
  },
)
