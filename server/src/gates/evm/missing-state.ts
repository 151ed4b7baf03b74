import { GateOutageError } from '../gate.ts'
import { RpcRefusal } from '../json-rpc.ts'

// The messages of geth and its forks, Erigon, Nethermind, Besu, Reth and anvil when they lack a block's state.
const words =
  /missing trie node|historical (state|block)|state .*(not|un)available|no state available|prun|world state|header not found|unknown block|block (was )?not found|could not find block|blockoutofrange|distance to target block|old data not available|required historical/i

// EIP-1474: resource not found.
const notFound = -32_001

/** Whether a node refused because it lacks the state after a block. */
export function isMissingState(refusal: unknown): boolean {
  return refusal instanceof RpcRefusal && (refusal.code === notFound || words.test(refusal.message))
}

export function missingState(height: bigint, cause: RpcRefusal): GateOutageError {
  return new GateOutageError(
    `The node does not have the balances of block ${height} (${cause.message}), so payments in that block cannot be ` +
      'checked. Add a node to rpc_urls that has them (an archive node), at least until the gate has caught up.',
    { cause },
  )
}
