import type { Actor } from '../../../domain/audit-log.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { ceilingOf } from '../../../domain/spending-limits.ts'
import { feeOf, type SignedTransaction } from '../../../domain/spends.ts'
import type { Gate, SignedTransfer } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { noteAct } from '../../audit/note-act.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { keepSignedRefill } from './keep-signed-refill.ts'
import { sendRefill } from './send-refill.ts'
import type { SubmittedRefill } from './submit-refill.ts'
import { type OpenedAccountRefill, openAccountRefill } from './write-account-refill.ts'

// The operator raises a fee now and then; more than this is a mistake.
const maxAttempts = 20

const next =
  'Sign the file that the refill was written to, or write it once more: npx sluice wallet refill --again REFILL --out refill.json'

/**
 * Takes the transaction that the operator has signed: compares each field with its refill, stores the bytes, and sends them.
 * Handing the same in again sends the same bytes again. The same transfer at another fee is accepted too: wallets choose
 * fees by themselves, and it can only be mined in place of the first.
 */
export async function submitAccountRefill(app: App, file: Uint8Array, by: Actor): Promise<SubmittedRefill> {
  const signed = readFile(app, file)
  const refill = await refillOf(app, signed)
  if (refill.kind === 'ended') return refill.answer
  const { opened } = refill
  const { gate, spend, plan, refilling } = opened
  const difference = refilling.difference(plan, signed)
  if (difference !== null)
    throw new ServiceError(
      'validation_error',
      `This is not refill ${spend.id} of ${gate.id}. ${difference} ${next.replace('REFILL', spend.id)}`,
    )
  refuseDear(app, opened, signed)
  const attempt = await store(app, opened, signed, by)
  const refusal = await sendRefill(app, gate, spend.id, attempt, signed)
  return { id: spend.id, gateId: gate.id, txHash: signed.hash, refusal }
}

function gatesOn(app: Pick<App, 'gates'>, chainId: number): Gate[] {
  return app.gates
    .list()
    .filter(({ spending }) => spending.kind === 'account' && spending.refill?.chainId === chainId)
}

function readFile(app: Pick<App, 'gates'>, file: Uint8Array): SignedTransfer {
  const reader = app.gates.list().find(({ spending }) => spending.kind === 'account' && spending.refill)
  const refilling = reader?.spending.kind === 'account' ? reader.spending.refill : undefined
  if (refilling === undefined)
    throw new ServiceError('not_found', 'There is no EVM network here. See: npx sluice gate list')
  const signed = refilling.read(file)
  if ('refused' in signed) throw new ServiceError('validation_error', `${signed.refused} ${next}`)
  return signed
}

type Found =
  | { readonly kind: 'open'; readonly opened: OpenedAccountRefill }
  | { readonly kind: 'ended'; readonly answer: SubmittedRefill }

/** The refill that a signed transaction is for: the one it belongs to already, or the open one of its network. */
async function refillOf(app: App, signed: SignedTransfer): Promise<Found> {
  const { accountRefills, spends } = app.store
  const gates = gatesOn(app, signed.chainId)
  if (gates.length === 0)
    throw new ServiceError(
      'not_found',
      `The transaction is for chain ${signed.chainId}, and there is no such network here. ${next}`,
    )
  const known = await accountRefills.withHash(signed.hash)
  const ended = known === null ? null : await spends.find(known)
  if (ended !== null && (ended.status === 'final' || ended.status === 'reverted'))
    return {
      kind: 'ended',
      answer: { id: ended.id, gateId: ended.gateId, txHash: signed.hash, refusal: null },
    }
  const at = await accountRefills.at(
    gates.map(({ id }) => id),
    signed.from,
    signed.nonce,
  )
  const open = at ?? (await anyOpen(app, gates))
  if (open === null)
    throw new ServiceError(
      'not_found',
      `There is no open refill on ${gates.map(({ id }) => id).join(' or ')}: it was given up, or belongs to another service. Prepare one with: npx sluice wallet refill --network ethereum --amount 0.5 --out refill.json`,
    )
  return { kind: 'open', opened: await openAccountRefill(app, open) }
}

async function anyOpen(app: App, gates: readonly Gate[]): Promise<string | null> {
  for (const { id } of gates) {
    const open = await app.store.accountRefills.openOn(id)
    if (open !== null) return open
  }
  return null
}

function refuseDear(app: App, { gate, plan, spend }: OpenedAccountRefill, signed: SignedTransfer): void {
  const fee = feeOf({ ...plan, gasLimit: signed.gasLimit }, signed.gasPrice)
  const ceiling = ceilingOf(app.spending.maxFees, gate.network.id)
  if (fee <= ceiling) return
  const { currency, decimals } = nativeAsset(gate)
  const inCoins = (units: bigint) => `${formatDecimal(units, decimals)} ${currency}`
  throw new ServiceError(
    'validation_error',
    `The transaction may cost ${inCoins(fee)}, and signer.max_fee allows ${inCoins(ceiling)}. ${next.replace('REFILL', spend.id)}`,
  )
}

/** Stores the signed transaction once, and returns its attempt. */
async function store(
  app: App,
  { spend: seen, gate, plan }: OpenedAccountRefill,
  signed: SignedTransfer,
  by: Actor,
): Promise<number> {
  const { hash, bytes, gasLimit, gasPrice } = signed
  const transaction: SignedTransaction = { hash, bytes }
  return app.transaction(async (tx) => {
    const spend = await tx.spends.lock(seen.id)
    if (spend.status !== 'open')
      throw new ServiceError('conflict', `Refill ${seen.id} was ended meanwhile: it is ${spend.status}.`)
    const isKnown = spend.transactions.some((each) => each.signed?.hash === hash)
    if (!isKnown && spend.transactions.length >= maxAttempts)
      throw new ServiceError(
        'conflict',
        `Refill ${seen.id} was handed in with ${spend.transactions.length} different fees, which is too often. Wait until one is mined.`,
      )
    const attempt = await keepSignedRefill(tx, spend, plan, transaction, { gasLimit, gasPrice })
    if (isKnown) return attempt
    await noteAct(tx, by, null, {
      environment: gate.environment,
      action: 'refill.submitted',
      subject: spend.id,
      details: { gate: gate.id, tx_hash: hash },
    })
    return attempt
  })
}
