import type { ChainCheck } from '../endpoints.ts'
import { WrongChainError } from '../gate.ts'
import { unbelievable } from '../unbelievable.ts'
import { readBlock, readHash, readQuantity } from './node-answers.ts'

/** The chain with this id (EIP-155), with any first block. */
export function evmChain(chainId: number): ChainCheck {
  return {
    called: `chain ${chainId}`,
    async genesisOf(rpc, node) {
      const id = readQuantity(await rpc.call('eth_chainId'), 'it does not say which chain it is on')
      if (id !== BigInt(chainId))
        throw new WrongChainError(
          `${node} is on chain ${id}, but it must be on chain ${chainId}. Point rpc_url at the right node, or correct ` +
            '"chain_id".',
        )
      const first = await rpc.call('eth_getBlockByNumber', '0x0', false)
      if (first === null) unbelievable('it has no block 0')
      return readHash(readBlock(first, { height: 0n }).hash)
    },
  }
}
