import { get, post, type Row } from '../client.ts'
import { anyone, type Fuzz } from '../fuzz.ts'
import { isMoving, isPriced, type Merchant } from '../model.ts'
import { toText } from '../money.ts'
import { strangerOn } from '../strangers.ts'
import { type Funds, learnPayout, someFunds } from './payouts.ts'

type Bad = readonly [what: string, body: Row, status: number, codes: readonly string[]]

/** Requests a payout that must be refused: with the right error, and without touching a balance. */
export async function createBadPayout(fuzz: Fuzz): Promise<void> {
  const { random, findings } = fuzz
  const merchant = anyone(fuzz)
  const funds = await someFunds(fuzz, merchant, { any: true })
  if (funds === null) return
  const kinds = badPayouts(fuzz, merchant, funds)
  const before = await get(merchant.api, '/v1/balances')
  const bad = random.pick(kinds)
  if (bad === undefined) return
  const [what, body, wanted, codes] = bad
  const { status, code, data } = await post(merchant.api, '/v1/payouts', body)
  const isRight = status === wanted && codes.includes(code ?? '')
  findings.check(isRight, 'bad-payout', `${what}: answered ${status} ${code}`, {
    body,
    available: funds.available,
  })
  if (!isRight && status === 201) learnPayout(fuzz, merchant, funds.asset, data)
  if (status < 400 || before.status !== 200 || [...merchant.payouts.values()].some(isMoving)) return
  const after = await get(merchant.api, '/v1/balances')
  const sign = (rows: Row[] | undefined) =>
    JSON.stringify(rows?.map(({ available, reserved }) => [available, reserved]))
  findings.same(
    sign(after.data),
    sign(before.data),
    'bad-payout',
    `balances after a refused payout (${what})`,
  )
}

function badPayouts(fuzz: Fuzz, merchant: Merchant, { asset, available }: Funds): Bad[] {
  const { random } = fuzz
  const { network, decimals } = asset
  const good = {
    currency: asset.currency,
    network,
    amount: toText(asset.minimum, decimals),
    destination: strangerOn(random, network),
    ...(asset.hasTag ? { destination_tag: '7' } : {}),
  }
  const own = random.pick([
    ...[...merchant.invoices.values()].filter(isPriced).filter((each) => each.asset.network === network),
    ...[...merchant.addresses.values()].filter((each) => each.asset.network === network),
  ])
  const has = available > 0n
  const invalid = ['validation_error']
  return [
    [
      'the whole balance, with nothing left for the fee',
      { ...good, amount: toText(has ? available : 1n, decimals) },
      422,
      ['insufficient_balance', 'amount_too_small'],
    ],
    [
      'too much',
      { ...good, amount: toText(has ? available * 2n + 1n : 10n ** BigInt(decimals), decimals) },
      422,
      ['insufficient_balance', 'amount_too_small'],
    ],
    ['astronomic', { ...good, amount: '9'.repeat(random.int(30, 50)) }, 422, ['insufficient_balance']],
    ['one unit', { ...good, amount: toText(1n, decimals) }, 422, ['amount_too_small']],
    [
      'an invalid address',
      { ...good, destination: good.destination.slice(0, -1) },
      422,
      ['invalid_destination'],
    ],
    [
      'other network',
      { ...good, destination: strangerOn(random, network === 'bitcoin' ? 'litecoin' : 'bitcoin') },
      422,
      ['invalid_destination'],
    ],
    ...(own === undefined ? [] : [ownAddress(good, own)]),
    ...(asset.hasTag
      ? [['no tag', { ...good, destination_tag: undefined }, 422, ['invalid_destination']] as const]
      : []),
    ['extra precision', { ...good, amount: `1.${'0'.repeat(decimals)}1` }, 400, invalid],
    ['zero', { ...good, amount: '0' }, 400, invalid],
    ['exponent', { ...good, amount: '1e3' }, 400, invalid],
    ['number', { ...good, amount: 1 }, 400, invalid],
    ['unknown field', { ...good, amounts: '1' }, 400, invalid],
  ]
}

function ownAddress(good: Row, { address, tag }: { address: string; tag: string | null }): Bad {
  const body = { ...good, destination: address, ...(tag ? { destination_tag: tag } : {}) }
  return ['own address', body, 422, ['invalid_destination']]
}
