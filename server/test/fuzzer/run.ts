import { setTimeout as sleep } from 'node:timers/promises'
import { makeTemporaryFolder } from '../support/processes/temporary-folder.ts'
import { Client, get, type Line, post } from './client.ts'
import { readEvents } from './event-checks.ts'
import { asText, Findings } from './findings.ts'
import { finish } from './finish.ts'
import { fullCheck } from './full-check.ts'
import type { Fuzz } from './fuzz.ts'
import { Measures } from './measures.ts'
import { type Asset, Chains, Merchant, type Terms } from './model.ts'
import { toUnits } from './money.ts'
import { Randomness } from './randomness.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { Service, type Victim } from './service.ts'
import { reconcile } from './steps/reconcile.ts'
import { brew, launch } from './steps/storm.ts'
import { steps } from './steps/table.ts'

export type FuzzOptions = {
  readonly seed: number
  readonly steps: number
  readonly kills: number
  /** The file that every request is recorded in; null for none. */
  readonly trace: string | null
  /** Keeps the folder with data and log. */
  readonly keep: boolean
  readonly say: (line: string) => void
}

export type Outcome = { readonly findings: Findings; readonly summary: string }

const fullCheckEvery = 50

/** Starts a service of its own, runs one seed against it, and cleans up. */
export async function fuzzSeed(options: FuzzOptions): Promise<Outcome> {
  const { seed } = options
  let isInterrupted = false
  // Failures after the service was taken away are not findings.
  const say = (line: string) => {
    if (!isInterrupted) options.say(line)
  }
  const findings = new Findings(seed, say, options.trace)
  const measures = new Measures()
  const folder = await makeTemporaryFolder('sluice-fuzz-')
  const receiver = await startReceiver(findings, measures)
  let service: Service | null = null
  const cleanUp = async (how: 'SIGTERM' | 'SIGKILL') => {
    await service?.stop(how)
    await receiver.close()
    if (options.keep) options.say(`Data and log are in ${folder.path}.`)
    else await folder.remove()
  }
  const interrupted = () => {
    isInterrupted = true
    void cleanUp('SIGKILL').finally(() => process.exit(130))
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, interrupted)
  const startedAt = performance.now()
  try {
    service = await Service.in(folder.path, measures)
    await service.start()
    const line: Line = { base: `${service.origin}/api`, findings, measures, isCut: false }
    const fuzz = await begin(new Randomness(seed), line, service, receiver)
    await walk(fuzz, line, service, options)
    await finish(fuzz, receiver, service)
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, interrupted)
    await cleanUp('SIGTERM')
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const { counts, steps: done } = measures
  const latency = measures.latencies()
  const kinds = findings.kinds()
  const summary = asText({
    seed,
    seconds,
    findings: findings.all.length,
    kinds,
    checks: findings.checks,
    ...counts,
    steps: done,
    latency,
  })
  return { findings, summary: summary ?? '' }
}

const termsOfA: Terms = { fee: 0, tolerance: 0, payoutFee: 0, refundFee: 0 }
const termsOfB: Terms = { fee: 137, tolerance: 50, payoutFee: 33, refundFee: 21 }

/** Two merchants, one without fees and one with odd ones; a live key; the available assets and rates. */
async function begin(random: Randomness, line: Line, service: Service, receiver: Receiver): Promise<Fuzz> {
  const { findings, measures } = line
  const merchants = [
    await makeMerchant(line, service, 'A', termsOfA),
    await makeMerchant(line, service, 'B', termsOfB),
  ]
  const live = await makeKey(service, merchants[0]?.id ?? '', 'live')
  const visitor = new Client(line, 'public', null)
  const currencies = await get(visitor, '/v1/currencies?environment=test')
  const assets: Asset[] = []
  for (const { code, networks } of currencies.data)
    for (const row of networks) {
      if (row.status !== 'online' || row.environment !== 'test') continue
      const { network, decimals, required_confirmations: required } = row
      const minimum = toUnits(row.min_amount, decimals)
      assets.push({ currency: code, network, decimals, required, minimum, hasTag: row.tag !== null })
    }
  const rates = new Map<string, string>()
  for (const row of (await get(visitor, '/v1/rates')).data)
    rates.set(`${row.currency}/${row.fiat_currency}`, row.rate)
  const fuzz: Fuzz = {
    random,
    findings,
    measures,
    assets,
    rates,
    chains: new Chains(),
    merchants,
    kills: 0,
    live: new Client(line, 'live', live),
    dust: new Map(),
  }
  for (const merchant of merchants) {
    await readEvents(fuzz, merchant)
    merchant.eventsBefore = new Set(merchant.eventIds)
    const url = `${receiver.url}/${merchant.name}`
    const { status, data, error } = await post(merchant.api, '/v1/webhook_endpoints', { url })
    if (status !== 201) throw new Error(`No webhook endpoint: ${JSON.stringify(error)}`)
    receiver.secrets.set(merchant.name, data.secret)
    merchant.endpoint = data.id
  }
  return fuzz
}

async function makeMerchant(line: Line, service: Service, name: string, terms: Terms): Promise<Merchant> {
  const { merchant_id: id } = await service.command(
    ...['merchant', 'create', '--name', name],
    ...['--fee-bps', String(terms.fee), '--tolerance-bps', String(terms.tolerance)],
    ...['--payout-fee-bps', String(terms.payoutFee), '--refund-fee-bps', String(terms.refundFee)],
  )
  return new Merchant({ name, id, terms, api: new Client(line, name, await makeKey(service, id, 'test')) })
}

async function makeKey(service: Service, merchant: string, environment: string): Promise<string> {
  const args = ['--merchant', merchant, '--environment', environment, '--permissions', 'all']
  return (await service.command('key', 'create', ...args)).key
}

/** Runs one step after another, and kills processes at some of them. */
async function walk(fuzz: Fuzz, line: Line, service: Service, options: FuzzOptions): Promise<void> {
  const { random, findings, measures, merchants } = fuzz
  const { steps: count, kills } = options
  const killAt = new Set(
    Array.from(
      { length: kills },
      (_, at) => Math.round(((at + 1) * count) / (kills + 1)) + random.int(-3, 3),
    ),
  )
  const crash = { name: 'crash', run: () => crashService(fuzz, line, service) }
  for (let at = 1; at <= count; at++) {
    findings.step = at
    const step = killAt.has(at) ? crash : random.weighted(steps)
    measures.countStep(step.name)
    try {
      await step.run(fuzz)
    } catch (error) {
      line.isCut = false
      const stack = error instanceof Error ? error.stack : String(error)
      findings.report('fuzzer-error', `${step.name}: ${stack?.split('\n').slice(0, 4).join(' ← ')}`)
    }
    if (at % fullCheckEvery === 0)
      for (const merchant of merchants) await fullCheck(fuzz, merchant, `step ${at}`)
  }
}

/** Kills processes with -9 while jobs of every kind run; nothing acknowledged may be lost and nothing done twice. */
async function crashService(fuzz: Fuzz, line: Line, service: Service): Promise<void> {
  const { random } = fuzz
  const victim = random.weighted<Victim>([
    [5, 'group'],
    [2, 'postgres'],
    [1, 'signer'],
    [2, 'service'],
  ])
  const flights = await brew(fuzz, random.hits(0.5))
  line.isCut = true
  const flying = launch(fuzz, flights, 120)
  await sleep(random.int(5, 350))
  service.kill(victim)
  fuzz.kills++
  fuzz.measures.count('kills')
  const flown = await Promise.all(flying)
  await service.recover(victim)
  line.isCut = false
  await reconcile(fuzz, flown, `after kill -9 of ${victim}`)
}
