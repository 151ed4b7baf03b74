import type { NodeRpc } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { readDrops, readHash, readNumber, readObject } from './node-answers.ts'
import { askUnless } from './node-rpc.ts'

/** A transaction that a server knows. */
export type NodeTransaction = {
  /** The validated ledger that it is in; null while it is in none. */
  readonly ledger: {
    readonly height: bigint
    readonly feeUnits: bigint
    readonly succeeded: boolean
  } | null
}

/** Null when the server does not know it. */
export async function askTransaction(rpc: NodeRpc, hash: string): Promise<NodeTransaction | null> {
  const answer = await askUnless(rpc, ['txnNotFound'], 'tx', { transaction: hash, binary: false })
  if (answer === null) return null
  const found = readObject(answer, 'it shows no transaction')
  if (readHash(found.hash) !== hash) unbelievable('it shows another transaction')
  // Metadata of a ledger that is not validated is a guess.
  if (found.validated !== true) return { ledger: null }
  const { TransactionResult } = readObject(found.meta, 'a transaction in a validated ledger has no metadata')
  return {
    ledger: {
      height: BigInt(readNumber(found.ledger_index, 'the number of a ledger')),
      feeUnits: readDrops(found.Fee, 'a fee'),
      succeeded: TransactionResult === 'tesSUCCESS',
    },
  }
}
