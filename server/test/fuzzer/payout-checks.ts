import { get, type Row } from './client.ts'
import type { Fuzz } from './fuzz.ts'
import { isMoving, type Payout } from './model.ts'
import { toText, toUnits } from './money.ts'

export type Decision = 'approve' | 'reject' | 'cancel' | 'fail'

/** The statuses that a payout may reach by itself. */
const reachable: Readonly<Record<string, readonly string[]>> = {
  pending_approval: ['pending_approval'],
  approved: ['approved', 'processing', 'completed'],
  processing: ['processing', 'completed'],
  completed: ['completed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
}
const reachableBy: Readonly<Record<Decision, readonly string[]>> = {
  approve: ['approved', 'processing', 'completed'],
  reject: ['cancelled'],
  cancel: ['cancelled'],
  fail: ['failed', 'processing'],
}

export function reachableFrom(status: string): readonly string[] {
  return reachable[status] ?? []
}

/** Reads a payout and compares it with the model; null if it could not be read. */
export async function readPayout(
  fuzz: Fuzz,
  payout: Payout,
  where: string,
  asked: readonly Decision[] = [],
): Promise<Row> {
  const { status, data } = await get(payout.merchant.api, `/v1/payouts/${payout.id}`)
  if (status === 0) return null
  const what = `${where}: GET payout answers ${status}`
  if (!fuzz.findings.check(status === 200, 'payout-lost', what, { id: payout.id })) return null
  seePayout(fuzz, payout, data, where, asked)
  return data
}

/** Compares the service's view of a payout with what may have happened to it, and updates the model. */
export function seePayout(
  fuzz: Fuzz,
  payout: Payout,
  data: Row,
  where: string,
  asked: readonly Decision[] = [],
): void {
  const { findings } = fuzz
  const { asset, merchant, status: was } = payout
  const context = () => ({ where, id: payout.id, was, api: data, asked })
  const allowed = new Set([...reachableFrom(was), ...asked.flatMap((each) => reachableBy[each])])
  // Payouts that share a transaction share its fate.
  if (asked.includes('fail') && data.status === 'failed' && data.tx_hash)
    merchant.failedTransactions.add(data.tx_hash)
  if (data.tx_hash && merchant.failedTransactions.has(data.tx_hash)) allowed.add('failed')
  // Coins that a reorganisation removed for good cannot be spent: such a payout fails by itself, and says so.
  const mayFail = isMoving(payout) || asked.includes('approve')
  if (mayFail && fuzz.chains.of(asset.network).hasDropped && data.failure_reason) allowed.add('failed')
  const moved = `payout went from ${was} to ${data.status}`
  findings.check(allowed.has(data.status), 'payout-status', moved, context)
  payout.status = data.status
  payout.last = data

  const fee = payout.refund === null ? payout.fee : 0n
  findings.same(data.amount, toText(payout.amount, asset.decimals), 'payout-amount', 'amount', context)
  findings.same(data.fee_amount, toText(fee, asset.decimals), 'payout-fee', 'fee_amount', context)
  const networkFee = toUnits(data.network_fee, asset.decimals)
  if (data.status === 'completed') {
    const isTold = data.tx_hash !== null && data.completed_at !== null
    const missing = 'completed without tx_hash or completed_at'
    findings.check(isTold, 'payout-completed-fields', missing, context)
    if (payout.actual !== null)
      findings.same(networkFee, payout.actual, 'payout-fee-changed', 'network fee after completion', context)
    payout.actual = networkFee
  } else payout.estimate = networkFee
  const isTimed = (data.executable_at !== null) === (data.approved_at !== null)
  findings.check(isTimed, 'payout-times', 'executable_at and approved_at', context)
  if (data.status === 'pending_approval') {
    const isUntouched = data.approved_at === null && data.tx_hash === null
    findings.check(isUntouched, 'payout-times', 'times or transaction on an unapproved payout', context)
  }
  if (payout.refund !== null)
    payout.refund.status =
      data.status === 'pending_approval' || data.status === 'approved' ? 'pending' : data.status
  watchProgress(fuzz, payout, data)
}

/** How long the service may take to notice new blocks on a shared machine. */
const graceMs = 30_000
/** Enough for everything that must come first, such as a sweep, and then for the payout itself. */
const enoughBlocks = (required: number) => 2 * required + 6

/**
 * An approved payout moves on when its network mines, or says why it does not. It is reported after enough blocks and enough
 * time without either. Killing the service or replacing blocks restarts the clock.
 */
export function watchProgress(fuzz: Fuzz, payout: Payout, data: Row, now = performance.now()): void {
  if (!isMoving(payout) || data.waiting_reason !== null) {
    payout.rest = null
    return
  }
  const { network, required } = payout.asset
  const { turns } = fuzz.chains.of(network)
  const tip = fuzz.chains.tipOf(network)
  const sign = [data.status, data.tx_hash, data.network_fee, turns, fuzz.kills].join()
  if (payout.rest?.sign !== sign) payout.rest = { sign, tip, enoughAt: null, isReported: false }
  const { rest } = payout
  if (rest.isReported || tip - rest.tip < enoughBlocks(required)) return
  rest.enoughAt ??= now
  if (now - rest.enoughAt < graceMs) return
  rest.isReported = true
  const blocks = tip - rest.tip
  fuzz.findings.report(
    'payout-idle',
    `a payout stays ${data.status} without a waiting_reason, for ${blocks} blocks of ${network}`,
    data,
  )
}
