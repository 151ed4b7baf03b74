import { GateOutageError } from '../gate.ts'
import { RpcRefusal } from '../json-rpc.ts'

// How geth and its kin, Erigon, Nethermind, Besu, Reth and anvil say that they do not keep a block's state, or not any more.
const words =
  /missing trie node|historical (state|block)|state .*(not|un)available|no state available|prun|world state|header not found|unknown block|block (was )?not found|could not find block|blockoutofrange|distance to target block|old data not available|required historical/i

// EIP-1474: what was asked for is not there.
const notFound = -32_001

/** Whether a node refuses because it does not have the state that a block left. */
export function isMissingState(refusal: unknown): boolean {
  return refusal instanceof RpcRefusal && (refusal.code === notFound || words.test(refusal.message))
}

export function missingState(height: bigint, cause: RpcRefusal): GateOutageError {
  return new GateOutageError(
    `The node does not have the balances of block ${height} any more, or not yet (${cause.message}), so what arrived there ` +
      'cannot be checked. Add a node to rpc_urls that keeps them (an archive node), at least until the chain is caught up.',
    { cause },
  )
}
