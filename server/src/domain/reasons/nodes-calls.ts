/** What goes wrong with a single call to a node of any network. They are written where they are thrown. */
export const nodeCallSentences = {
  node_bad_status: 'The node at {host} answered with status {status} and no JSON.',
  node_bad_status_text: 'The node at {host} answered with status {status} and no JSON: {said}.',
  node_other_call: 'The node at {host} answered call {id} with the answer to another call.',
  node_no_result: 'The node at {host} answered with neither a result nor an error.',
  node_no_error_code: 'The node at {host} answered with an error that has no code.',
  node_not_ready: 'The node at {host} is not ready yet: {said}',
  node_batch_count: 'The node at {host} did not send exactly one answer to each of {count} calls.',
  node_left_call: 'The node at {host} left call {id} without an answer.',
  node_closed: 'The node at {host} is no longer in use.',
  node_too_much: 'The node at {host} answered with more than {bytes} bytes.',
  node_refuses: 'The node refuses to answer: {said}',
  node_refused: 'The node at {host} refused a request: {said}',
  node_refused_of: 'The node of {network} refused a request: {said}',
  nodes_disagree:
    'The nodes of {network} do not agree, so nothing is credited. The answer of {hosts} needs {count} nodes to agree; {others}. Find out which node is right. The answer was {said}.',
} as const
