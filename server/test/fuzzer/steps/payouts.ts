import { unbacked } from '../backing-checks.ts'
import { type Answer, get, post, type Row } from '../client.ts'
import { anyone, assetOf, type Fuzz, someKey } from '../fuzz.ts'
import { type Asset, isMoving, type Merchant, openStates, type Payout, type Refund } from '../model.ts'
import { chargeOf, toText, toUnits } from '../money.ts'
import { type Decision, reachableFrom, readPayout, seePayout } from '../payout-checks.ts'
import { strangerOn } from '../strangers.ts'
import { catchUp } from './chain.ts'

export type Funds = {
  readonly asset: Asset
  readonly available: bigint
  /** The network's fee; undefined if it cannot be predicted. */
  readonly estimate: bigint | undefined
  /** A payout of this asset is in progress: its release may come at any moment, and no exact check is possible. */
  readonly isMoving: boolean
}

/** An asset of which a merchant has something to spend, or any that it ever had. */
export async function someFunds(
  fuzz: Fuzz,
  merchant: Merchant,
  options: { any?: boolean; only?: Asset } = {},
): Promise<Funds | null> {
  const balances = await get(merchant.api, '/v1/balances')
  if (balances.status !== 200) return null
  const rows: { asset: Asset; available: bigint }[] = balances.data.flatMap((row: Row) =>
    row.networks.map((own: Row) => {
      const asset = assetOf(fuzz, row.currency, own.network)
      return { asset, available: toUnits(own.available, asset.decimals) }
    }),
  )
  const fit = rows
    .filter(({ asset }) => !merchant.offline.has(asset.network))
    .filter(({ asset }) => options.only === undefined || asset === options.only)
    .filter(({ asset, available }) => options.any || available > asset.minimum)
  if (fit.length === 0) return null
  const row = fuzz.random.pick(fit)
  if (row === undefined) return null
  const moving = [...merchant.payouts.values()].some((each) => each.asset === row.asset && isMoving(each))
  const estimate = moving ? undefined : merchant.estimates.get(row.asset)
  return { ...row, estimate, isMoving: moving }
}

/** A destination address, with a tag if the network has tags. */
export function destinationOn({ random }: Fuzz, { network, hasTag }: Asset, tag: string): object {
  return { destination: strangerOn(random, network), ...(hasTag ? { destination_tag: tag } : {}) }
}

/** Adds a created payout to the model. */
export function learnPayout(
  { findings }: Fuzz,
  merchant: Merchant,
  asset: Asset,
  data: Row,
  refund: Refund | null = null,
): Payout {
  const units = (text: string) => toUnits(text, asset.decimals)
  const payout: Payout = {
    id: data.id,
    merchant,
    asset,
    refund,
    status: data.status,
    actual: null,
    last: data,
    rest: null,
    amount: units(data.amount),
    fee: units(data.fee_amount),
    estimate: units(data.network_fee),
  }
  merchant.estimates.set(asset, payout.estimate)
  merchant.payouts.set(payout.id, payout)
  findings.same(data.environment, 'test', 'create-payout', 'environment', data)
  const fee = refund === null ? chargeOf(payout.amount, merchant.terms.payoutFee) : 0n
  findings.same(payout.fee, fee, 'create-payout', refund === null ? 'fee' : 'fee of a refund’s payout', data)
  return payout
}

/** A payout of the minimum, of a part, of the most that fits to the unit, or of one unit more, which must be refused. */
export async function createPayout(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const funds = await someFunds(fuzz, merchant)
  if (funds === null) return
  const { asset, available, estimate } = funds
  const key = someKey(fuzz)
  const bps = merchant.terms.payoutFee
  const most = mostFor(available - (estimate ?? available / 2n), bps)
  const amount = random.weighted<() => bigint>([
    [4, () => asset.minimum],
    [4, () => available / BigInt(random.int(2, 9))],
    [2, () => most],
    [3, () => most + 1n],
    [1, () => available / 2n + 1n],
  ])()
  if (amount < asset.minimum) return
  const body = {
    currency: asset.currency,
    network: asset.network,
    amount: toText(amount, asset.decimals),
    destination: strangerOn(random, asset.network),
    ...(asset.hasTag ? { destination_tag: String(random.int(0, 4_294_967_295)) } : {}),
    ...(key === undefined ? {} : { idempotency_key: key }),
    ...(random.hits(0.2) ? { metadata: { step: findings.step } } : {}),
  }
  const { status, code, data, error } = await post(merchant.api, '/v1/payouts', body)
  const cost = amount + chargeOf(amount, bps)
  if (status === 422) {
    const isShort = estimate === undefined || cost + estimate > available
    const what = `refused with ${code}: ${amount} of ${available}, estimate ${estimate}`
    findings.check(code === 'insufficient_balance' && isShort, 'create-payout', what, error)
    return
  }
  if (!findings.check(status === 201, 'create-payout', `answered ${status}`, { error, body })) return
  findings.same(data.status, 'pending_approval', 'create-payout', 'status', data)
  findings.same(data.amount, body.amount, 'create-payout', 'amount', data)
  const payout = learnPayout(fuzz, merchant, asset, data)
  if (!funds.isMoving) await checkTaken(fuzz, merchant, funds, cost + payout.estimate, data)
  if (key !== undefined) merchant.keys.payout.set(key, { body, id: payout.id })
}

/** The largest amount that, with its fee, is within the whole. */
function mostFor(whole: bigint, bps: number): bigint {
  let most = (whole * 10_000n) / (10_000n + BigInt(bps))
  while (most + 1n + chargeOf(most + 1n, bps) <= whole) most++
  while (most > 0n && most + chargeOf(most, bps) > whole) most--
  return most
}

async function checkTaken(
  { findings }: Fuzz,
  merchant: Merchant,
  { asset, available }: Funds,
  cost: bigint,
  data: Row,
): Promise<void> {
  const what = `a payout of ${cost} was accepted with ${available} available`
  findings.check(cost <= available, 'overdraft', what, data)
  const balances = await get(merchant.api, '/v1/balances')
  const row = balances.data?.find(({ currency }: Row) => currency === asset.currency)
  const own = row?.networks.find(({ network }: Row) => network === asset.network)
  if (!own) return
  const left = toUnits(own.available, asset.decimals)
  findings.same(left, available - cost, 'create-payout', 'available after', data)
}

export function decideCall({ merchant, id }: Payout, decision: Decision): Promise<Answer> {
  const path = decision === 'cancel' ? `/v1/payouts/${id}/cancel` : `/v1/test/payouts/${id}/${decision}`
  return post(merchant.api, path)
}

const decidable: Readonly<Record<Decision, readonly string[]>> = {
  approve: ['pending_approval'],
  reject: ['pending_approval', 'approved'],
  cancel: ['pending_approval', 'approved'],
  fail: ['approved', 'processing'],
}

/** Decides on a payout, and checks that exactly the permitted decisions take effect. */
export async function decide(fuzz: Fuzz, payout: Payout, decision: Decision): Promise<void> {
  const { findings } = fuzz
  const was = payout.status
  const isApproval = decision === 'approve' && was === 'pending_approval'
  const before = isApproval ? await unbacked(payout) : null
  const answer = await decideCall(payout, decision)
  const { status, code, data, error } = answer
  const what = `${decision} of a ${was} payout answered ${status}`
  const mayBeDecidable = [was, ...reachableFrom(was)].some((each) => decidable[decision].includes(each))
  if (isApproval) {
    // Payments on their way may change the balance at any moment: a violation must have existed before and after.
    const after = await unbacked(payout)
    judgeApproval(fuzz, payout, answer, before, after)
  } else if (!mayBeDecidable) {
    findings.same(status, 409, 'decide', what, data)
    findings.same(code, 'conflict', 'decide', 'code')
  } else if (was === 'pending_approval') findings.check(status === 200, 'decide', what, error)
  else {
    const isKnown = status === 200 || status === 409
    const isUnfailable = decision === 'fail' && (status === 400 || status === 503)
    findings.check(isKnown || isUnfailable, 'decide', what, error)
  }
  if (decision === 'fail') await catchUp(fuzz, payout.asset.network)
  if (status !== 200) {
    await readPayout(fuzz, payout, `after a refused ${decision}`)
    return
  }
  seePayout(fuzz, payout, data, `answer of ${decision}`, [decision])
  if (decision === 'cancel' || decision === 'reject')
    findings.same(payout.status, 'cancelled', 'decide', `status after ${decision}`)
  if (decision === 'fail') findings.same(payout.status, 'failed', 'decide', 'status after fail')
}

/** An approval takes effect exactly while the payout is backed; otherwise it is a conflict. */
export function judgeApproval(
  { findings }: Fuzz,
  { id, refund }: Payout,
  { status, code, error, data }: Answer,
  before: string | null,
  after: string | null,
): void {
  const isProceeding = status === 200 && data.status !== 'pending_approval'
  if (isProceeding && before !== null && after !== null)
    findings.report('unbacked', before, { payout: id, refund: refund?.id })
  const isRefused = status === 409 && code === 'conflict'
  const what = `approve of a pending_approval payout answered ${status} ${code}`
  // For a blurred invoice only the service knows the amount credited at this moment.
  const isBacked = before === null && after === null && !refund?.invoice.isBlurred
  if (isBacked) findings.check(status === 200, 'decide', what, error)
  else findings.check(status === 200 || isRefused, 'decide', what, error)
}

function somePayout(
  { random }: Fuzz,
  merchant: Merchant,
  isWanted: (payout: Payout) => boolean,
  otherwise: number,
): Payout | undefined {
  return random.pick(
    [...merchant.payouts.values()].filter((each) => isWanted(each) || random.hits(otherwise)),
  )
}

/** Decides on a payout; now and then on one that can no longer be decided on. */
export async function decideSome(
  fuzz: Fuzz,
  decision: Decision,
  isWanted: (payout: Payout) => boolean,
  otherwise: number,
): Promise<void> {
  const payout = somePayout(fuzz, anyone(fuzz), isWanted, otherwise)
  if (payout !== undefined) await decide(fuzz, payout, decision)
}

export const isWaiting = ({ status }: Payout): boolean => status === 'pending_approval'
export const isOpen = ({ status }: Payout): boolean => openStates.has(status)
