/** What keeps a gate from reading the chain of its node, by family. They are written where they are thrown. */
export const nodeChainSentences = {
  node_other_genesis:
    'The node of {network} at {host} is on a different {called} (genesis {found}) from the one seen before (genesis {wanted}). Point rpc_url at the right node.',
  node_not_final: 'The last final block is {count} blocks old: the chain is not finalising.',
  node_reading_blocks: 'Blocks that are not yet final are still being read: {count} are left.',
  node_changed_reading: 'The chain changed while it was read.',
  node_changed_searching: 'The chain changed during the search for a transaction.',
  node_changed_outputs: 'The chain changed during the lookup of outputs.',
  node_keeps_changing: 'The chain of {network} keeps changing while it is read.',
  node_other_block: '{gate} returned a different block than requested.',
  // Bitcoin.
  node_wrong_genesis:
    'The node of {gate} is on {called} (genesis {found}), but it must be on {right} (genesis {wanted}). Point rpc_url at the right node, or correct "chain".',
  node_block_missing: 'The node of {network} has not downloaded block {height} yet.',
  node_pruned:
    'The node of {network} no longer has block {height} ({detail}). Configure it to keep more blocks ("prune" in its settings) and download them again ("-reindex"), or use another node.',
  node_no_fee: 'The node of {network} has no fee estimate yet.',
  node_reading_mempool: 'The mempool is still being read: {count} of {total} transactions so far.',
  node_loading_mempool: 'The node is still loading its mempool.',
  node_search_goes_on: 'The search for the transaction that spent {coin} continues below block {height}.',
  // EVM networks.
  node_no_balances:
    'The node does not have the balances of block {height} ({detail}), so payments in that block cannot be checked. Add a node to rpc_urls that has them (an archive node), at least until the gate has caught up.',
  node_no_receipt: 'The node shows {hash} in block {height} but has no receipt for it yet.',
  node_no_tag: 'The node of {network} does not know yet which block is {tag}.',
  node_no_bytes:
    'The node does not give the bytes of {hash} (eth_getRawTransactionByHash). Add a node to rpc_urls that does.',
  node_no_receipts:
    'The node has no receipts for block {height}, or left that block while it was read, so nothing in it can be credited. If this persists, configure the node to download and keep receipts, or point rpc_url at one that does.',
  node_no_token_balance: 'A token does not return a balance: {said}',
  // Solana.
  node_no_history:
    'The node keeps no transactions, so it cannot show payments. Start it with --enable-rpc-transaction-history, or use another.',
  node_newer_kind:
    'The block in slot {slot} contains a newer kind of transaction than this version of Sluice can read. Update Sluice.',
  node_no_metadata:
    'The node does not say what transactions did. It must keep their history: use another node.',
  node_nonce_used:
    'The nonce account {account} no longer holds the value that the transaction needs, and the node does not show which transaction has used it. Nothing is signed anew before that is known. Add a node to rpc_urls that keeps older transactions.',
  node_nonce_exists:
    'The nonce account {account} exists, and the node does not show which transaction has created it. Add a node to rpc_urls that keeps older transactions.',
  node_slot_without_block:
    'The node shows a transaction in slot {slot}, but not the block there. If this persists, it no longer keeps it: add a node to rpc_urls that keeps older blocks.',
  node_behind_another:
    'Of several nodes under one address, one is behind the other. The transaction is looked for again.',
  node_executed_unseen:
    'The node says that {hash} was executed, but does not show it. If this persists, it does not keep transactions for long enough: add a node to rpc_urls that does.',
  node_no_cost: 'The node refuses to say what a payment takes: {said}',
  node_wrong_cluster:
    'The node of {network} at {host} is on the chain with genesis {found}, but it must be on the one with {wanted}. Point rpc_url at the right node, or correct "cluster".',
  node_public_cluster:
    'The node of {network} at {host} is on a public cluster (genesis {found}), but it must be on a chain of its own. Point rpc_url at the right node, or correct "cluster".',
  node_lists_only:
    'The node does not show the blocks that it lists from height {height} on. If this persists, it lacks some of them: point rpc_url at another node.',
  node_pruned_height:
    'The node no longer has the block at height {height}, so payments in it cannot be read. Add a node to rpc_urls that keeps older blocks, at least until the gate has caught up.',
  node_no_newest: 'The node is at slot {slot}, but shows none of its newest blocks.',
  node_too_old: 'The last block that was read is {count} blocks old, too many to catch up.',
  // The XRP Ledger.
  server_wrong_network:
    'The node of {network} at {host} is on network {found}, but it must be on network {wanted}. Point rpc_url at the right server, or correct "network_id".',
  server_ledger_gone: 'The server does not have ledger {height} any more.',
  server_ledger_missing:
    'The server does not have ledger {height}; it has {ranges}. Nothing in it may be passed over: use a server that has it, such as one with full history.',
  server_not_alone: 'The server shows {hash} in ledger {height}, but not by itself yet.',
  server_old_rules: 'The server does not know the network’s present rules (amendment blocked). Upgrade it.',
  server_state: 'The server is not in sync with the network: it is {state}.',
  server_no_ledger: 'The server is not in sync with the network: it has no validated ledger.',
  server_behind:
    'The server is not in sync with the network: its newest validated ledger is {seconds} seconds old.',
} as const
