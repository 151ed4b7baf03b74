import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { followChain } from '../../../src/app/chain/follow-chain.ts'
import { resumeChain } from '../../../src/app/chain/resume-chain.ts'
import { holdRescan } from '../../../src/app/rescan/hold-rescan.ts'
import { rescanChain } from '../../../src/app/rescan/rescan-chain.ts'
import { listCoins } from '../../../src/app/spends/planning/list-coins.ts'
import { OutageError } from '../../../src/domain/errors.ts'
import { formatDecimal } from '../../../src/domain/money.ts'
import { exactUnits } from '../../../src/gates/bitcoin/exact-json.ts'
import { walletPath } from '../../../src/signer/wallet-file.ts'
import { createTestDatabase, query } from '../../support/database/database.ts'
import {
  depth,
  type LostDatabase,
  loseDatabase,
  ltc,
  passphrase,
} from '../../support/database/lost-database.ts'
import type { CoinNode } from '../../support/nodes/coin-node.ts'
import { startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { gateConfig, type NodeShop, openNodeShop, startPayingNode } from '../../support/nodes/node-shop.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { runSluice, spawnCommand } from '../../support/processes/sluice-process.ts'
import { attemptsOf, gateOf } from '../../support/shop/money-out.ts'

const gateId = 'litecoin-test'
const gap = 5
const order = { network: 'litecoin', environment: 'test', fromHeight: 0n, gap } as const

let node: CoinNode
let losing: Promise<LostDatabase> | null = null
beforeAll(async () => {
  node = await startPayingNode('litecoin')
})
afterAll(async () => {
  await (await losing)?.clear()
  await node.close()
})

/** Runs once for all tests, from the first of them: waiting for a condition is possible only inside a test. */
function lose(): Promise<LostDatabase> {
  losing ??= loseDatabase(node)
  return losing
}

async function inSuspense({ service }: NodeShop): Promise<bigint> {
  const [row] = await query(
    service.database.url,
    `select coalesce(sum(balance_units), 0)::text as units from ledger_accounts where kind = 'suspense'`,
  )
  return BigInt(row?.units)
}

async function everything({ service }: NodeShop) {
  const rows = []
  for (const what of [
    '* from payments',
    '* from payment_bookings',
    '* from postings',
    '* from rescan_outputs',
    '* from own_addresses',
    '* from spend_counters',
    "keychain, given, 0 from deposit_address_counters where keychain like 'litecoin%'",
  ])
    rows.push(await query(service.database.url, `select ${what} order by 1, 2, 3`))
  return rows
}

it('a rescan recovers all coins of a lost database, which are spent again, and no address is given out twice', async () => {
  const { unspentAt, openAnew, given, units, destination } = await lose()
  const second = await openAnew()
  const { app } = second.service
  const progress: bigint[] = []
  const report = await rescanChain(app, order, ({ height }) => progress.push(height))
  const tip = await node.ask('getblockcount')
  expect(progress.at(-1)).toBe(BigInt(tip))
  expect(report).toMatchObject({ gateId, fromHeight: 0n, toHeight: BigInt(tip), givenAgain: 0 })
  // Everything the node knows, except the coins that the old payout spends.
  expect(report.taken.units + report.beingSpent.units).toBe(units)
  expect(report.beingSpent.count).toBeGreaterThan(0)
  expect(report.found).toBe(report.taken.count + report.beingSpent.count + report.spent)
  expect(report.spent).toBeGreaterThan(0)
  expect(await inSuspense(second)).toBe(report.taken.units - 5_000_000n)
  expect(await auditBooks(app)).toEqual({ ok: true, differences: [] })

  // The old payout is mined: its inputs were never taken, and the follower sees its change.
  await second.mine(2)
  expect(await second.heldInBooks()).toBe(await unspentAt(second))
  const coins = await listCoins(app, gateId)
  expect(coins.coins.some(({ isChange }) => isChange)).toBe(true)
  expect(coins.totals.spendable).toBe(formatDecimal(await unspentAt(second), 8))
  for (const { txHash, outputIndex, amount, address } of coins.coins) {
    const known = JSON.parse(await second.cli('gettxout', txHash, String(outputIndex)))
    expect([known.value, known.scriptPubKey.addresses]).toEqual([Number(amount), [address]])
  }

  // A second rescan finds nothing and changes nothing.
  const kept = await everything(second)
  expect(await rescanChain(app, order)).toMatchObject({
    found: report.found,
    taken: { count: 0, units: 0n },
    beingSpent: { count: 0 },
    nextDeposit: report.nextDeposit,
    nextChange: report.nextChange,
  })
  expect(await everything(second)).toEqual(kept)

  // New business: an address that was never shown to a payer, and a payout from the old database's change.
  const invoice = await second.shop.create(ltc('5'))
  expect(given).not.toContain(invoice.deposit_address)
  await second.cli('sendtoaddress', invoice.deposit_address, '5')
  await second.mine(2)
  const [change] = coins.coins.filter(({ isChange }) => isChange)
  const amount = formatDecimal((exactUnits(change?.amount, 8) as bigint) - 100_000n, 8)
  const payout = await second.shop.payOut({ ...ltc(amount), destination })
  expect((await second.shop.approve(payout)).status).toBe(200)
  await second.untilPaidOut(payout)
  const [attempt] = await attemptsOf(second.service, payout)
  expect(attempt?.plan.inputs).toMatchObject([
    { txHash: change?.txHash, outputIndex: change?.outputIndex, key: { chain: 'own' } },
  ])
  expect(attempt?.plan.change.index).toBeGreaterThanOrEqual(report.nextChange)
  expect(await second.heldInBooks()).toBe(await unspentAt(second))
  expect(await auditBooks(app)).toEqual({ ok: true, differences: [] })

  // The payout's own change went to a watched address. It stays change, even after an operator resumes a halted chain.
  const end = await node.ask('getblockcount')
  const mined: string[] = []
  for (let height = end - depth; height <= end; height++) {
    const { tx } = await node.ask('getblock', await node.ask('getblockhash', height), 2)
    mined.push(...tx.slice(1).map(({ hex }: { hex: string }) => hex))
  }
  await node.ask('invalidateblock', await node.ask('getblockhash', end - depth))
  // Some of them must not be mined below the height at which they were made.
  for (let nth = 0; nth < depth; nth++) await node.mineExactly([])
  await node.mineExactly(mined)
  await node.mine(1)
  const gate = gateOf(second.service, 'litecoin')
  await expect.poll(() => followChain(app, gate, { evenIfHeld: true })).toBe('halted')
  await expect(rescanChain(app, order)).rejects.toMatchObject({ code: 'conflict' })
  await resumeChain(app, gate, BigInt(end - depth - 1))
  await second.settle()
  expect(await second.heldInBooks()).toBe(await unspentAt(second))
  expect(await auditBooks(app)).toEqual({ ok: true, differences: [] })
  await second.close()
})

it('a killed rescan continues where it stopped, without a running service, and reports its progress', async () => {
  const { unspentAt, folder: firstFolder, makeFolder, inShop } = await lose()
  await node.mine(2)
  const database = await createTestDatabase()
  const proxy = await startFaultProxy(node.url)
  const folder = await makeFolder()
  const config = join(folder, 'config.json')
  await writeFile(
    config,
    JSON.stringify({
      gates: [gateConfig('litecoin', proxy.url, { confirmations: 2 })],
      chains: { max_reorganisation_depth: depth },
      addresses: { ready: 20 },
    }),
  )
  const env = { SLUICE_DATA_DIR: folder, DATABASE_URL: database.serviceUrl, SLUICE_CONFIG: config }
  const args = [
    'wallet',
    'rescan',
    '--network',
    'litecoin',
    '--environment',
    'test',
    '--from-height',
    '20',
    '--gap',
    String(gap),
    '--json',
  ]
  const words = JSON.parse(await readFile(walletPath(firstFolder, 'test'), 'utf8')).words
  const init = ['wallet', 'init', '--environment', 'test', '--words-from-stdin']
  const made = await runSluice(init, { ...env, SLUICE_WALLET_PASSPHRASE: passphrase }, words)
  expect(made.code, made.stderr).toBe(0)

  // A pruned node no longer has such old blocks.
  const asked: string[] = []
  const heightOf = new Map<string, number>()
  const tip = await node.ask('getblockcount')
  for (let height = 0; height <= tip; height++) heightOf.set(await node.ask('getblockhash', height), height)
  proxy.fault = async ({ body, ask }) => {
    if (body.method !== 'getblock' || (heightOf.get(body.params[0]) ?? 0) > 30) return ask()
    const error = { code: -1, message: 'Block not available (pruned data)' }
    return JSON.stringify({ result: null, error, id: body.id })
  }
  const pruned = await runCommand(args, env)
  expect([pruned.code, pruned.stdout]).toEqual([1, ''])
  expect(pruned.stderr).toMatch(/no longer has block 20.*prune/)

  // It hangs in a later slice, the second unless the node is slow, and is killed there.
  let isHanging = false
  proxy.fault = async ({ body, ask }) => {
    if (body.method !== 'getblock' || heightOf.get(body.params[0]) !== 90) return ask()
    isHanging = true
    return 'hang'
  }
  const killed = spawnCommand(args, env)
  // Not `exit`: what it printed may arrive later.
  const ended = once(killed, 'close')
  let said = ''
  killed.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const read = async () => {
    const [row] = await query(database.url, 'select next_height::int from rescans')
    return row?.next_height ?? null
  }
  await expect.poll(() => isHanging).toBe(true)
  await expect.poll(read).toBeGreaterThan(20)
  const reached = await read()
  expect(reached).toBeLessThanOrEqual(90)
  killed.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(said).toContain(`block ${reached - 1} of ${tip}: ${reached - 20} of ${tip - 19} blocks read`)

  proxy.fault = async ({ body, ask }) => {
    if (body.method === 'getblock') asked.push(body.params[0])
    return ask()
  }
  const whole = await runCommand(args, env)
  expect(whole.code, whole.stderr).toBe(0)
  expect(Math.min(...asked.map((hash) => heightOf.get(hash) ?? 0))).toBe(reached)
  expect(whole.stderr).toContain(`block ${tip} of ${tip}`)
  const report = JSON.parse(whole.stdout)
  expect(report).toMatchObject({ gate_id: gateId, from_height: 20, to_height: tip, being_spent: 0 })

  const third = await openNodeShop('litecoin', { ...inShop(folder), database })
  await third.settle()
  expect(formatDecimal(await unspentAt(third), 8)).toBe(report.recovered_amount)
  expect(await third.heldInBooks()).toBe(await unspentAt(third))
  expect(await auditBooks(third.service.app)).toEqual({ ok: true, differences: [] })
  const again = await rescanChain(third.service.app, { ...order, fromHeight: 20n })
  expect(again).toMatchObject({
    found: report.found,
    taken: { count: 0 },
    nextDeposit: report.next_deposit_position,
    nextChange: report.next_change_position,
  })
  await third.close()

  await proxy.close()
  await database.drop()
})

it('payments mined during a rescan count once, and reorganised ones are reversed until they return', async () => {
  const { unspentAt, openAnew, depositAt, changeAt } = await lose()
  await node.mine(2)
  const sent: string[] = []
  const pay = async (deposit: string, change: string) => {
    for (const [address, amount] of [
      [deposit, '0.07'],
      [change, '0.08'],
    ] as const) {
      const hash = await node.ask('sendtoaddress', address, amount)
      sent.push((await node.ask('gettransaction', hash)).hex)
    }
    return (await node.mine(1))[0] as string
  }
  const replaced = await pay(depositAt(2), changeAt(3))
  const stage = await openAnew()
  const { app } = stage.service
  const during = async () => {
    for (let nth = 0; nth < 4; nth++) await pay(depositAt(1), changeAt(1))
  }
  await Promise.all([rescanChain(app, order), during()])
  await stage.mine(1)
  const whole = await unspentAt(stage)
  expect(await stage.heldInBooks()).toBe(whole)
  expect(await auditBooks(app)).toEqual({ ok: true, differences: [] })

  await node.ask('invalidateblock', replaced)
  for (let nth = 0; nth < 7; nth++) await node.mineExactly([])
  await stage.settle()
  expect(await unspentAt(stage)).toBe(whole - 5n * 15_000_000n)
  expect(await stage.heldInBooks()).toBe(await unspentAt(stage))
  expect(await auditBooks(app)).toEqual({ ok: true, differences: [] })
  await node.mineExactly(sent)
  await stage.mine(1)
  expect(await unspentAt(stage)).toBe(whole)
  expect(await stage.heldInBooks()).toBe(whole)

  // A process whose rescan another process took over writes nothing more.
  const stale = await app.store.rescans.find(gateId)
  if (stale === null) throw new Error('There is a rescan.')
  expect(await rescanChain(app, order)).toMatchObject({ taken: { count: 0 } })
  await expect(app.transaction((tx) => holdRescan(tx, stale, null))).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(await auditBooks(app)).toEqual({ ok: true, differences: [] })
  await stage.close()
})

it('coins are recovered at the block at which they are unspent, and an old payment does not pay a new invoice', async () => {
  const { unspentAt, openAnew, given } = await lose()
  await node.mine(2)
  const stage = await openAnew()
  const { app } = stage.service
  // Given out before the rescan: the lost database had given it to another payer, who paid.
  const invoice = await stage.shop.create(ltc('0.03'))
  expect(given).toContain(invoice.deposit_address)

  const gate = gateOf(stage.service, 'litecoin')
  const { unspent } = gate
  if (unspent === null) throw new Error('A node can be asked.')
  let looks = 0
  const look: typeof unspent.look = async (outputs) => {
    looks++
    if (looks === 1) throw new OutageError('The node is away.')
    const answer = await unspent.look(outputs)
    if (looks === 2) await stage.mine(1)
    return answer
  }
  Object.assign(gate, { unspent: { ...unspent, look } })
  await expect(rescanChain(app, order)).rejects.toBeInstanceOf(OutageError)
  expect(await stage.heldInBooks()).toBe(0n)
  const report = await rescanChain(app, order)
  expect(looks).toBe(3)
  expect(report).toMatchObject({ givenAgain: 1 })
  expect(report.taken.units).toBe(await unspentAt(stage))
  expect(await stage.heldInBooks()).toBe(await unspentAt(stage))

  expect(await stage.shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0', payments: [] })
  await stage.cli('sendtoaddress', invoice.deposit_address, '0.03')
  await stage.mine(2)
  expect(await stage.shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '0.03' })
  expect(await stage.heldInBooks()).toBe(await unspentAt(stage))
  expect(await auditBooks(app)).toEqual({ ok: true, differences: [] })
  await stage.close()
})

it('an address beyond the gap is found with a larger gap, and an impossible rescan is refused with the reason', async () => {
  const { unspentAt, openAnew, changeAt } = await lose()
  await node.ask('sendtoaddress', changeAt(50), '0.09')
  await node.mine(2)
  const stage = await openAnew()
  const { app } = stage.service
  await rescanChain(app, order)
  await stage.settle()
  expect(await stage.heldInBooks()).toBe((await unspentAt(stage)) - 9_000_000n)
  const wider = await rescanChain(app, { ...order, gap: 40 })
  expect(wider).toMatchObject({ taken: { count: 1, units: 9_000_000n }, nextChange: 50 + 1 + 40 })
  expect(await stage.heldInBooks()).toBe(await unspentAt(stage))
  expect(await auditBooks(app)).toEqual({ ok: true, differences: [] })
  const refused = await stage.shop.call('createPayout', {
    json: { ...ltc('0.01'), destination: changeAt(60) },
  })
  expect([refused.status, refused.body.error.code]).toEqual([422, 'invalid_destination'])

  const began = BigInt(await node.ask('getblockcount'))
  for (const [wrong, code, reason] of [
    [{ fromHeight: -1n }, 'validation_error', /0 or more/],
    [{ fromHeight: began + 1n }, 'validation_error', new RegExp(`followed since block ${began}`)],
    [{ gap: 0 }, 'validation_error', /from 1 to/],
    [{ network: 'dogecoin' }, 'not_found', /no network dogecoin/],
    [{ network: 'ethereum' }, 'invalid_state', /accounts, not coins/],
    [{ network: 'bitcoin' }, 'invalid_state', /simulated/],
    [{ environment: 'live' }, 'invalid_state', /no live wallet.*wallet init --environment live/],
  ] as const)
    await expect(rescanChain(app, { ...order, ...wrong })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(reason),
    })
  await stage.close()
})
