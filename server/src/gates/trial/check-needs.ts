import type { BlockRef } from '../../domain/chain.ts'
import { GateOutageError } from '../gate.ts'
import { RpcRefusal } from '../json-rpc.ts'
import { Failed, type Found } from './findings.ts'
import type { NeededCall, TriedNode } from './tried-node.ts'

// JSON-RPC 2.0; and what providers say of methods that they do not offer, with codes of their own.
const methodNotFound = -32_601
const missingWords =
  /(method|call|endpoint)\b.*\b(not|un|dis|forbidden|deprecated|does)\s?-?(found|supported|available|allowed|enabled|whitelisted|exist|abled|authorized|permitted)|not whitelisted|unsupported method|unknown ?(method|cmd)|no ?permission|forbidden/i
// What a provider has to say fits into this. The pattern takes time that grows with the square of the length.
const maxSearched = 500

/** Makes every call that the gate makes, and names those that the server does not offer. */
export async function checkNeeds(node: TriedNode, tip: BlockRef): Promise<Found> {
  const needs = await node.needs(tip)
  const missing: string[] = []
  const without: string[] = []
  for (const each of needs) {
    const why = await whyMissing(node, each)
    if (why === null) continue
    const name = each.call[0]
    ;(each.isOptional === true ? without : missing).push(`${name} (needed ${each.need}): ${why}`)
  }
  if (missing.length > 0)
    throw new Failed(
      `${missing.length} of ${needs.length} calls cannot be made. ${missing.join('; ')}.`,
      'Allow these methods on your server, or choose a plan or provider that offers them.',
    )
  const names = new Set(needs.map(({ call: [name] }) => name))
  return {
    says: `It offers the ${names.size} methods that Sluice needs${without.length > 0 ? `, but not ${without.join('; ')}` : ''}.`,
  }
}

async function whyMissing(
  { rpc }: TriedNode,
  { call, mayRefuse = false }: NeededCall,
): Promise<string | null> {
  try {
    await rpc.call(...call)
    return null
  } catch (error) {
    if (error instanceof GateOutageError) return error.message.replace(/\.$/, '')
    if (!(error instanceof RpcRefusal)) throw error
    const isMissing = error.code === methodNotFound || missingWords.test(error.message.slice(0, maxSearched))
    return isMissing || !mayRefuse ? `${error.message} (code ${error.code})` : null
  }
}
