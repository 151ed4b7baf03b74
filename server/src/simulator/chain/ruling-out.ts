import { createHash } from 'node:crypto'
import type { PlacedUses } from '../../domain/simulated-nonces.ts'
import { useNames } from '../../domain/uses.ts'
import { type Db, sql } from '../../store/sql.ts'
import { announce, lockChain } from './branch.ts'
import { admit, end, insertTransaction, revive, stateOf } from './mempool.ts'
import { SimulationRefusal } from './refusal.ts'
import type { Account } from './rules.ts'

// Nothing pays more, so nothing replaces it.
const highestFeeRate = 10n ** 77n

/** Records that a transaction must never be mined, and removes it from the mempool. */
export async function ruleOut(tx: Db, gateId: string, hash: string, uses?: PlacedUses): Promise<void> {
  const tip = await lockChain(tx, gateId)
  const row = await sql<{ state: string; sender: string | null; nonce: bigint | null }>`
    select state, sender, nonce from simulated_transactions
    where gate_id = ${gateId} and hash = ${hash}`.maybeOne(tx)
  if (row?.state === 'mined')
    throw new SimulationRefusal('already_mined', `Transaction ${hash} is in the chain.`)
  const account = accountOf(uses) ?? (row === null ? null : senderOf(row))
  await sql`
    insert into simulated_ruled_out (gate_id, tx_hash, height)
    values (${gateId}, ${hash}, ${account === null ? tip.height : null})
    on conflict (gate_id, tx_hash) do update set height = excluded.height where excluded.height is null`.run(
    tx,
  )
  if (row?.state === 'waiting') await end(tx, gateId, [hash])
  const refusal = account === null ? null : await takeNonce(tx, gateId, hash, account)
  // Any other refusal means that the nonce is already used, which is just as good.
  if (refusal?.reason === 'mempool_full') throw refusal
  await announce(tx, gateId)
}

/**
 * Why a transaction that was ruled out is refused; null when it was not ruled out. This also uses up its account's nonce.
 */
export async function refuseRuledOut(
  tx: Db,
  gateId: string,
  { hash, uses }: { readonly hash: string; readonly uses: PlacedUses },
): Promise<SimulationRefusal | null> {
  const row = await sql<{ height: bigint | null }>`
    select height from simulated_ruled_out where gate_id = ${gateId} and tx_hash = ${hash}`.maybeOne(tx)
  if (row === null) return null
  const account = accountOf(uses)
  if (account !== null) {
    await sql`update simulated_ruled_out set height = null
      where gate_id = ${gateId} and tx_hash = ${hash}`.run(tx)
    const refusal = await takeNonce(tx, gateId, hash, account)
    if (refusal === null) await announce(tx, gateId)
  }
  return new SimulationRefusal('ruled_out', `The network does not accept transaction ${hash}.`)
}

/** Adds a transaction that does nothing but use the account's nonce. Returns why if it is refused. */
async function takeNonce(
  tx: Db,
  gateId: string,
  hash: string,
  account: Account,
): Promise<SimulationRefusal | null> {
  const uses = useNames(account)
  const admission = await admit(tx, gateId, uses, highestFeeRate)
  if (admission instanceof SimulationRefusal) return admission
  await end(tx, gateId, admission.ends)
  const nothing = createHash('sha256').update(`instead of ${hash}`).digest('hex')
  if ((await stateOf(tx, gateId, nothing)) === 'gone') await revive(tx, gateId, nothing)
  else
    await insertTransaction(tx, gateId, {
      hash: nothing,
      bytes: null,
      feeUnits: 0n,
      feeRate: highestFeeRate,
      uses,
      outputs: [],
      executed: { account, debits: [] },
    })
  return null
}

const accountOf = (uses: PlacedUses | undefined): Account | null => (uses?.kind === 'account' ? uses : null)

const senderOf = ({ sender, nonce }: { sender: string | null; nonce: bigint | null }): Account | null =>
  sender === null || nonce === null ? null : { kind: 'account', address: sender, nonce }
