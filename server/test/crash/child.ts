/** A worker and signer that takes its steps in a fixed order, and crashes at the point it is told to. */
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '../../src/app/app.ts'
import { doJobs } from '../../src/app/chain/do-jobs.ts'
import { followChain } from '../../src/app/chain/follow-chain.ts'
import { findRefills } from '../../src/app/spends/cold/find-refills.ts'
import { moveToCold } from '../../src/app/spends/cold/move-to-cold.ts'
import { fillGaps } from '../../src/app/spends/hot-wallet/fill-gaps.ts'
import { planPayouts } from '../../src/app/spends/planning/plan-payouts.ts'
import { cancelRefused } from '../../src/app/spends/settling/cancel-refused.ts'
import { lookAtSpends } from '../../src/app/spends/settling/look-at-spends.ts'
import { recheckEnded } from '../../src/app/spends/settling/recheck-ended.ts'
import { OutageError } from '../../src/domain/errors.ts'
import type { Gate } from '../../src/gates/gate.ts'
import { createLog } from '../../src/log.ts'
import type { GateConfig } from '../../src/settings/gate-config.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { openTestWallet } from '../../src/signer/kept-wallet.ts'
import { createSigningSession, signerSeat } from '../../src/signer/signing-session.ts'
import { fillHotWallets } from '../../src/simulator/helpers/fill-hot-wallets.ts'
import { openApp } from '../../src/wire/app.ts'
import { Closers } from '../../src/wire/closers.ts'
import { gateChains } from '../../src/wire/node-gates.ts'
import { givenSettings } from '../../src/wire/signer.ts'
import { silentReports } from '../support/shop/silent-reports.ts'
import type { Miner } from './miner.ts'
import { nodeMiner } from './node-miner.ts'
import type { Answer, Order } from './order.ts'
import { Points, watchFiles, watchStatements } from './points.ts'
import { obey } from './refill-command.ts'
import { simulatedMiner } from './simulated-miner.ts'
import { solanaMiner } from './solana-miner.ts'

const maxPlans = 20
const maxFollowed = 50
const restMs = 5
const overLimit = "It would exceed the signer's own limit"

flushCompileCache()
process.once('message', (order: Order) => {
  run(order).then(
    (answer) => process.send?.(answer, () => process.exit(0)),
    (error: Error) =>
      process.send?.({ points: 0, ended: false, problems: [String(error.stack)] }, () => process.exit(0)),
  )
})
process.send?.('ready')

async function run(order: Order): Promise<Answer> {
  const problems: string[] = []
  const points = new Points(join(order.dataDir, 'falls.log'), order.fall)
  watchStatements(points)
  await watchFiles(points)
  const closers = new Closers()
  const log = createLog('error', {
    write: (line) => {
      if (!order.mayRefuse || !line.includes(overLimit)) problems.push(line)
    },
  })
  const settings = readSettings(order.env)
  const opened = await openApp(settings, 'command', log, closers)
  const { url, database } = opened
  await opened.gates.open(closers)
  const fees = { times: 1 }
  const app = asked(opened.app, order, fees, points, problems)
  const { command } = order
  if (command !== null) {
    const said = await points.counted(() => obey(app, command))
    return { points: points.passed, ended: true, problems, said }
  }
  const [node] = settings.config.gates
  const miner = minerOf(node)
  const gates = miner.gateIds.map((id) => app.gates.find(id) as Gate)
  const chains = gateChains(settings.assets, settings.config.gates)
  const wallet = await openTestWallet(app, { dataDir: order.dataDir, log, chains })
  if (wallet === null) throw new Error('There is no wallet here.')
  const seat = signerSeat(order.dataDir)
  const session = createSigningSession({
    app,
    url,
    dataDir: order.dataDir,
    wallet,
    seat,
    settings: givenSettings(settings),
    log,
    onJournaled: async () => points.pass('after the journal, before the bytes are handed out'),
  })

  let moreRounds = order.moreRounds
  const endMs = performance.now() + order.maxMs
  for (let rounds = 0; performance.now() < endMs; rounds++) {
    fees.times = rounds === 0 ? 1 : order.feeTimes
    await points.counted(async () => {
      await attempt(() => plan(app))
      await attempt(() => session.step())
      await attempt(() => lookAtSpends(app))
    })
    await attempt(() => mine(rounds))
    for (const gate of gates) await points.counted(() => attempt(() => follow(gate)))
    for (const gate of gates) await points.counted(() => attempt(() => findRefills(app, gate)))
    await points.counted(() => attempt(() => doJobs(app)))
    const { isEnded } = await miner.state()
    if (isEnded && !(await points.counted(() => moves(app)))) {
      if (moreRounds === 0) return { points: points.passed, ended: true, problems }
      moreRounds--
      for (const { id } of gates) await miner.mine(id, order.blocks, false)
    }
    await delay(restMs)
  }
  return { points: points.passed, ended: false, problems }

  function minerOf(node: GateConfig | undefined): Miner {
    if (node === undefined) return simulatedMiner(app, database.db)
    if (node.kind === 'xrp') throw new Error('No crash scenario runs on servers of the XRP Ledger.')
    return node.kind === 'solana' ? solanaMiner(node, database.db) : nodeMiner(node, database.db)
  }

  /** A lost connection is retried in the next round; any other failure is a problem. */
  async function attempt(step: () => Promise<unknown>): Promise<void> {
    try {
      await step()
    } catch (error) {
      if (!(error instanceof OutageError)) problems.push(String(error instanceof Error ? error.stack : error))
    }
  }

  async function follow(gate: Gate): Promise<void> {
    for (let blocks = 0; blocks < maxFollowed; blocks++) {
      if ((await followChain(app, gate)) !== 'advanced') return
      await recheckEnded(app, gate)
    }
  }

  /** Mining is not part of the service: no process crashes while it runs, and it does not run ahead of the follower. */
  async function mine(round: number): Promise<void> {
    const { awaited } = await miner.state()
    const isEmpty = order.emptyBlocks > 0 && round % (order.emptyBlocks + 1) !== order.emptyBlocks
    for (const id of awaited) await miner.mine(id, order.blocks, isEmpty)
  }
}

async function plan(app: App): Promise<void> {
  for (const id of await app.store.payouts.gatesWithDue()) {
    const gate = app.gates.find(id)
    if (gate === null) continue
    for (let planned = 0; planned < maxPlans; planned++) if ((await planPayouts(app, gate)) === 0) break
    await fillHotWallets(app, gate)
  }
  await fillGaps(app)
  await cancelRefused(app)
}

/** Moves what is above a cap to its cold wallet, if there is one. Returns whether something is on its way now. */
async function moves(app: App): Promise<boolean> {
  let isMoving = false
  for (const [id, policy] of app.spending.cold)
    isMoving ||= (await moveToCold(app, app.gates.find(id) as Gate, policy)) === 'moved'
  return isMoving
}

/** The app as its order wants it, with points around every broadcast. */
function asked(
  app: App,
  order: Order,
  fees: { readonly times: number },
  points: Points,
  problems: string[],
): App {
  const gates = app.gates.list().map((gate) => ({
    ...gate,
    feeRate: async () => (await gate.feeRate()) * BigInt(fees.times),
    broadcast: (signed: Parameters<Gate['broadcast']>[0]) =>
      points.around(`broadcasting on ${gate.id}`, () => gate.broadcast(signed)),
  }))
  return {
    ...app,
    gates: {
      list: () => gates,
      find: (id) => gates.find((gate) => gate.id === id) ?? null,
      isOnline: (id) => app.gates.isOnline(id),
      status: (id) => app.gates.status(id),
    },
    spending: {
      bumpAfterMs: order.bumpAfterMs,
      cancelAfterMs: order.mayRefuse ? 0 : 600_000,
      consolidation: new Map(),
      floatSweeps: 0,
      sweepMaxCostBps: 0,
      cold: app.spending.cold,
      maxFeesPerDay: app.spending.maxFeesPerDay,
      maxFees: app.spending.maxFees,
    },
    reports: {
      ...silentReports,
      checkFailed: (spend, error) => {
        if (!(error instanceof OutageError)) problems.push(`spend ${spend.id} failed: ${error}`)
      },
      coinMissing: (gate, { txHash }) => problems.push(`coin ${txHash} of ${gate.id} is missing`),
      minedAfterAll: (gate, spend, hash) =>
        problems.push(`spend ${spend} on ${gate.id} had ended, and ${hash} was mined`),
      undone: (gate, spend, reason) => {
        if (!order.mayUndo) problems.push(`spend ${spend} on ${gate.id} is undone: ${reason}`)
      },
    },
  }
}
