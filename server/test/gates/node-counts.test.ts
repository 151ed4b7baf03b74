import { expect, it } from 'vitest'
import { type EndpointAddress, nodeEndpoints } from '../../src/gates/endpoints.ts'
import { GateOutageError } from '../../src/gates/gate.ts'

/** A node that gives these answers in turn; an error is thrown. */
function node(place: string, ...answers: readonly (string | Error)[]) {
  const counts = { failures: 0, disagreements: 0 }
  let next = 0
  const call = async () => {
    const answer = answers[Math.min(next++, answers.length - 1)]
    if (answer instanceof Error) throw answer
    return answer
  }
  const address: EndpointAddress = {
    place,
    rpc: { call, batch: async () => [], close() {} },
    onFailure: () => counts.failures++,
    onDisagreement: () => counts.disagreements++,
  }
  return { address, counts }
}

const down = new GateOutageError('no answer')
const chain = { called: 'chain', genesisOf: async () => 'genesis' }

function ask(nodes: readonly { readonly address: EndpointAddress }[]) {
  const endpoints = nodes.map(({ address }) => address)
  return nodeEndpoints({ name: 'made-up', chain, endpoints, agreement: 2 }).agree(
    (rpc) => rpc.call('anything'),
    () => true,
  )
}

it('a node that gives another answer is counted as disagreeing, and one that gives none as failing', async () => {
  const nodes = [node('one', 'a'), node('two', 'b'), node('three', down)]
  await expect(ask(nodes)).rejects.toThrow('do not agree')
  expect(nodes.map(({ counts }) => counts)).toEqual([
    { failures: 0, disagreements: 0 },
    { failures: 0, disagreements: 1 },
    { failures: 1, disagreements: 0 },
  ])
})

it('nodes that agree count as neither, and a node that is passed over counts as failing', async () => {
  const nodes = [node('one', down), node('two', 'a'), node('three', 'a')]
  expect(await ask(nodes)).toBe('a')
  // Asked first, and again for its agreement.
  expect(nodes.map(({ counts }) => counts)).toEqual([
    { failures: 2, disagreements: 0 },
    { failures: 0, disagreements: 0 },
    { failures: 0, disagreements: 0 },
  ])
})
