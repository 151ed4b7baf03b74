import { auditBooks } from '../../src/app/audit/audit-books.ts'
import { doJobs } from '../../src/app/chain/do-jobs.ts'
import { followChain } from '../../src/app/chain/follow-chain.ts'
import { expireDue } from '../../src/app/invoices/expire-due.ts'
import { createMerchant } from '../../src/app/merchants/create-merchant.ts'
import type { Caller } from '../../src/domain/caller.ts'
import { OutageError } from '../../src/domain/errors.ts'
import { sql } from '../../src/store/sql.ts'
import {
  cancel,
  dropWaiting,
  endWindow,
  makeInvoice,
  makeStaticAddress,
  mine,
  pay,
  pickAsset,
  reorganise,
  replace,
} from './actions.ts'
import { judge } from './model.ts'
import { type Random, randomOf } from './random.ts'
import { type Chains, type NetworkId, networkIds, type Running, type Stage } from './stage.ts'
import { gateOf, type Simulation } from './state.ts'
import { Turns } from './turns.ts'

export const usualSteps = 30
const maxRounds = 200
const maxTargets = 4

/** Runs one seed from scratch and returns every violation. */
export async function runSeed(stage: Stage, seed: number, steps = usualSteps): Promise<string[]> {
  const random = randomOf(seed)
  const chains = await stage.reset(random)
  const simulation = await begin(stage, random, chains)
  for (let step = 0; step < steps; step++) {
    await outsideStep(simulation)
    if (random.bool(0.6)) await serviceStep(simulation)
  }
  await settle(simulation)
  const { outside, problems } = simulation
  const failures = [...simulation.service, outside].flatMap((running) => running.failures)
  const audit = await auditBooks(outside.app)
  return [
    ...problems,
    ...failures,
    ...(await judge(simulation)),
    ...audit.differences.map((each) => `audit: ${each}`),
  ]
}

async function begin(stage: Stage, random: Random, chains: Chains): Promise<Simulation> {
  const outside = stage.start(random, chains)
  const merchants: Caller[] = []
  for (let made = random.between(1, 2); made > 0; made--) {
    const { merchantId } = await createMerchant(outside.app, { name: 'Simulated shop' })
    const feeBps = random.pick([0, 0, 50, 137, 10_000])
    const toleranceBps = random.pick([0, 0, 100, 333])
    await sql`update merchants set fee_bps = ${feeBps}, underpayment_tolerance_bps = ${toleranceBps}
      where id = ${merchantId}`.run(outside.process.db)
    const merchant = { baseCurrency: 'USD', feeBps, payoutFeeBps: 0, refundFeeBps: 0, toleranceBps }
    merchants.push({
      actor: `key:${merchantId}`,
      person: null,
      merchantId,
      environment: 'test',
      permissions: new Set(),
      merchant,
    })
  }
  const networks = networkIds.filter(() => random.bool(0.15))
  const simulation: Simulation = {
    stage,
    chains,
    random,
    outside,
    merchants,
    targets: [],
    deferred: [],
    sent: [],
    service: [stage.start(random, chains), stage.start(random, chains)],
    networks: [random.pick(networkIds), ...networks],
    cancelled: new Set(),
    thaw: null,
    problems: [],
  }
  await makeInvoice(simulation)
  return simulation
}

const outsideActions = {
  makeInvoice,
  pickAsset,
  makeStaticAddress,
  cancel,
  endWindow,
  pay,
  replace,
  dropWaiting,
  mine,
  reorganise,
}

const outsideWeights: Record<keyof typeof outsideActions, number> = {
  makeInvoice: 3,
  pickAsset: 1,
  makeStaticAddress: 1,
  cancel: 1,
  endWindow: 2,
  pay: 10,
  replace: 2,
  dropWaiting: 1,
  mine: 8,
  reorganise: 3,
}

async function outsideStep(simulation: Simulation): Promise<void> {
  const action = simulation.random.weighted(outsideWeights)
  // A few busy invoices reveal more than many idle ones.
  const isCrowded = action.startsWith('make') && simulation.targets.length >= maxTargets
  await outsideActions[isCrowded ? 'pay' : action](simulation)
}

const serviceWeights = { calm: 4, killed: 2, together: 5, freeze: 1, thaw: 1, clock: 1 }

async function serviceStep(simulation: Simulation): Promise<void> {
  const { random, service } = simulation
  const which = random.below(2) as 0 | 1
  const running = service[which]
  switch (random.weighted(serviceWeights)) {
    case 'calm':
      return surviving(() => oneRound(simulation, running))
    case 'killed':
      running.process.dieAfter(random.below(30))
      await surviving(() => oneRound(simulation, running))
      return revive(simulation)
    case 'together':
      return together(simulation)
    case 'freeze':
      return freeze(simulation)
    case 'thaw':
      return simulation.thaw?.()
    case 'clock':
      return timePasses(simulation)
  }
}

/** One round of the loops of a process, some of them chosen at random. */
async function oneRound(simulation: Simulation, { app }: Running): Promise<void> {
  const network = simulation.random.pick(simulation.networks)
  for (let look = 0; look < 3; look++) {
    const gate = gateOf({ app } as Running, network)
    if ((await followChain(app, gate, { evenIfHeld: true })) !== 'advanced') break
  }
  if (simulation.random.bool(0.5)) await expireDue(app)
  if (simulation.random.bool(0.8)) await doJobs(app)
  if (simulation.random.bool(0.1)) await app.store.counts.fold()
}

/** Runs both processes and the outside concurrently, their statements in random order; one process may be killed. */
async function together(simulation: Simulation): Promise<void> {
  const { random, service, outside } = simulation
  const turns = new Turns(random)
  const all = [...service, outside]
  for (const { process } of all) process.turns = turns
  if (random.bool(0.3)) service[random.below(2) as 0 | 1].process.dieAfter(random.below(60))
  if (random.bool(0.3)) await sql`update jobs set claimed_until = null`.run(simulation.stage.database.db)
  const role = () => random.pick([oneRound, oneRound, onlyJobs, onlyFollow])
  const ended = await Promise.allSettled([
    ...service.map((running) => surviving(() => role()(simulation, running))),
    meanwhile(simulation, turns),
  ])
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  for (const { process } of all) process.turns = null
  revive(simulation)
}

async function onlyJobs(_simulation: Simulation, { app }: Running): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await expireDue(app)
    await doJobs(app)
  }
}

async function onlyFollow(simulation: Simulation, { app }: Running): Promise<void> {
  const gate = gateOf({ app } as Running, simulation.random.pick(simulation.networks))
  for (let look = 0; look < 4; look++) await followChain(app, gate, { evenIfHeld: true })
}

/** Chains and payers go on while the service runs. */
async function meanwhile(simulation: Simulation, turns: Turns): Promise<void> {
  for (let left = simulation.random.below(4); left > 0; left--) {
    for (let wait = simulation.random.below(12); wait > 0; wait--) await turns.run(async () => {})
    await outsideStep(simulation)
  }
}

/** Stops a follower between reading the chain and writing the result. */
async function freeze(simulation: Simulation): Promise<void> {
  if (simulation.thaw !== null) return
  const { random, stage, chains, networks } = simulation
  const stopped = stage.start(random, chains)
  let wake = () => {}
  stopped.process.frozen = new Promise<void>((resolve) => {
    wake = resolve
  })
  const network = random.pick(networks)
  const following = surviving(() =>
    followChain(stopped.app, gateOf(stopped, network), { evenIfHeld: true }),
  ).catch((error: Error) => void simulation.problems.push(`a stopped follower failed: ${error.stack}`))
  simulation.thaw = async () => {
    simulation.thaw = null
    wake()
    await following
  }
  // It reads while nothing else happens, and then stops.
  let arrived = false
  void following.then(() => {
    arrived = true
  })
  for (let turn = 0; turn < 20 && !arrived; turn++) await sql`select`.run(stage.database.db)
}

/** Claims of dead processes expire, and postponed jobs become due. */
async function timePasses({ stage }: Pick<Simulation, 'stage'>): Promise<void> {
  await sql`update jobs set claimed_until = null, due_at = least(due_at, clock_timestamp())`.run(
    stage.database.db,
  )
}

/** Starts a killed process again, under another name. */
function revive({ service, stage, random, chains, problems }: Simulation): void {
  for (const at of [0, 1] as const) {
    problems.push(...service[at].failures.splice(0))
    if (service[at].process.dead) service[at] = stage.start(random, chains)
    else service[at].process.spare()
  }
}

/** Outages are normal for a process: its loops try again. */
async function surviving(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof OutageError)) throw error
  }
}

/** Lets everything settle: nothing new on any chain, no jobs left, every window that is over assessed. */
async function settle(simulation: Simulation): Promise<void> {
  await simulation.thaw?.()
  const [{ app }] = simulation.service
  const everywhere = new Set<NetworkId>([...simulation.networks, 'bsc'])
  for (let round = 0; round < maxRounds; round++) {
    await timePasses(simulation)
    let moved = 0
    for (const network of everywhere)
      if ((await followChain(app, gateOf({ app } as Running, network), { evenIfHeld: true })) !== 'idle')
        moved++
    moved += await expireDue(app)
    moved += await doJobs(app)
    if (moved === 0) return
  }
  simulation.problems.push('The service did not settle.')
}
