import type { Network } from '../../domain/networks.ts'
import type { BitcoinCoin } from '../bitcoin/chain-rules.ts'

/** EIP-155 numbers of the public test networks, which the simulated ones stand in for. */
const testChainIds: Readonly<Record<string, number>> = {
  ethereum: 11_155_111, // Sepolia
  polygon: 80_002, // Amoy
  bsc: 97,
  base: 84_532,
  arbitrum: 421_614,
  optimism: 11_155_420,
  avalanche: 43_113, // Fuji
}

/** The rules that a network of the Bitcoin kind follows. */
export function bitcoinCoin({ id }: Network): BitcoinCoin {
  if (id !== 'bitcoin' && id !== 'litecoin') throw new Error(`No rules are known for ${id} addresses.`)
  return id
}

export function testChainId({ id }: Network): number {
  const chainId = testChainIds[id]
  if (chainId === undefined) throw new Error(`No test chain id is known for ${id}.`)
  return chainId
}
