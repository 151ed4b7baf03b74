/**
 * Why a gate's node cannot be used, in the cases that operators meet most. They are written where they are thrown; what else a node
 * or a gate says is shown as it is.
 */
export const nodeSentences = {
  node_unreachable: 'The node at {host} cannot be reached ({error}).',
  node_silent: 'The node at {host} did not answer within {time} ms.',
  node_refused_access:
    'The node at {host} refused access: check the user, the password and the addresses that it allows.',
  node_too_often:
    'The node at {host} has reached its rate limit. Requests are paused for a while and then sent more slowly. If this persists, raise the limit at your provider, or set a larger "poll_seconds".',
  node_broke_off: 'The node at {host} broke off its answer.',
  node_no_rpc: 'The node at {host} sent something that is not a JSON-RPC answer.',
  node_no_cookie: 'The node at {host} cannot be used: its cookie file {path} cannot be read.',
  node_untrusted: 'The node’s answer is not trusted: {detail}.',
  node_downloading: 'The node of {network} is still downloading the chain.',
  node_none_usable: 'None of the {count} nodes of {network} is usable.',
  node_chain_changed: 'The chain of {gate} changed while it was being read.',
  node_unreadable:
    'Sluice failed to read the chain ({detail}). The log has details; report this to Sluice’s authors.',
  node_wrong_chain_id:
    'The node of {network} at {host} is on chain {found}, but it must be on chain {wanted}. Point rpc_url at the right node, or correct "chain_id".',
  node_wrong_chain:
    'The node of {gate} is on {found}, but it must be on {wanted}. Point rpc_url at the right node, or correct "chain".',
  node_other_chain:
    'This database follows {gate} on chain {wanted}, but its node is on chain {found}. Point rpc_url at a node of the first chain, or use another database.',
} as const
