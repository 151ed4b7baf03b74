import { randomUUID } from 'node:crypto'
import type { Log } from '../log.ts'
import { createPost } from '../outbound/mail/post.ts'
import { binanceFeed } from '../outbound/rate-feeds/binance.ts'
import { coinbaseFeed } from '../outbound/rate-feeds/coinbase.ts'
import { coingeckoFeed } from '../outbound/rate-feeds/coingecko.ts'
import { krakenFeed } from '../outbound/rate-feeds/kraken.ts'
import type { Settings } from '../settings/settings.ts'
import { simulatedChainChannel } from '../simulator/chain/branch.ts'
import { followedChainMoved } from '../store/invoices/visits.ts'
import { listen } from '../store/listen.ts'
import { payoutApproved, signerAnswered } from '../store/spends/announcements.ts'
import { webhookDeliveryChannel } from '../store/webhooks/webhook-deliveries.ts'
import { startAddressPoolLoop } from '../worker/address-pool.ts'
import { type AgendaLoop, startAgenda } from '../worker/agenda.ts'
import { type ChainLoops, startChainLoops } from '../worker/chains.ts'
import { startDeliveries } from '../worker/deliveries.ts'
import {
  startFolding,
  startForgetting,
  startForgettingHistory,
  startForgettingSignIns,
  startMining,
  startPolicyChanges,
  startPruning,
} from '../worker/housekeeping.ts'
import { type Loop, startLoop } from '../worker/loop.ts'
import { startMails } from '../worker/mails.ts'
import { startRateLoops } from '../worker/rates.ts'
import { startSpendLoops } from '../worker/spends.ts'
import { type Opened, poolBounds, ratePolicy } from './app.ts'
import type { Closers } from './closers.ts'

const feeds = { kraken: krakenFeed, coinbase: coinbaseFeed, binance: binanceFeed, coingecko: coingeckoFeed }
// There are no gates to follow until a signer has published the wallet's public keys.
const gateCheckMs = 1_000

/** Everything that no request waits for. */
export function startWorker(settings: Settings, opened: Opened, log: Log, closers: Closers): void {
  const { app, gates } = opened
  const { sources, base_urls, refresh_seconds } = settings.config.rates
  const agenda = startAgenda(app, log)
  const loops: Loop[] = startRateLoops(
    app,
    sources.map((source) =>
      feeds[source](base_urls[source] === undefined ? {} : { baseUrl: base_urls[source] }),
    ),
    { policy: ratePolicy(settings), everyMs: refresh_seconds * 1000, log },
  )
  loops.push(startFolding(app, log), startPruning(app, log))
  loops.push(startForgetting(app, settings.config.webhooks.retention_days, log))
  const { events, audit_log } = settings.config
  const kept = { eventDays: events.retention_days, auditDays: audit_log.retention_days }
  loops.push(startForgettingHistory(app, kept, log))
  loops.push(startForgettingSignIns(app, log), startPolicyChanges(app, agenda, log), agenda)
  const filler = randomUUID()
  loops.push(startAddressPoolLoop(app, gates.keychains, poolBounds(settings), { log, filler }))
  if (settings.sandboxBlockSeconds > 0) loops.push(startMining(app, settings.sandboxBlockSeconds, log))
  closers.add(() => Promise.all(loops.map((loop) => loop.stop())))
  startPost(settings, opened, agenda, log, closers)
  const deliveries = startDeliveries(app, agenda, log)
  closers.add(() => deliveries.stop())
  startFollowing(opened, agenda, deliveries, log, closers)
}

function startPost(
  { smtpUrl }: Settings,
  { app, origin }: Opened,
  agenda: AgendaLoop,
  log: Log,
  closers: Closers,
): void {
  if (smtpUrl === null) return
  const post = createPost(smtpUrl, senderOf(smtpUrl, origin.url))
  const mails = startMails(app, post, agenda, log)
  closers.add(async () => {
    await mails.stop()
    post.close()
  })
}

/** The sender of mails: from the setting, or made from the service's own host name. */
function senderOf(smtpUrl: string, url: string): string {
  return new URL(smtpUrl).searchParams.get('from') ?? `sluice@${new URL(url).hostname}`
}

function startFollowing(
  { app, url }: Opened,
  agenda: AgendaLoop,
  deliveries: Loop,
  log: Log,
  closers: Closers,
): void {
  const spends = startSpendLoops(app, agenda, log)
  const chains: ChainLoops[] = []
  const followed = new Set<string>()
  // Gates are created when their wallet's public keys are known, all gates of one environment together.
  const begin = (): void => {
    const fresh = app.gates.list().filter(({ id }) => !followed.has(id))
    if (fresh.length === 0) return
    for (const { id } of fresh) followed.add(id)
    chains.push(startChainLoops(app, fresh, agenda, log, spends.wakeForReplaced))
  }
  const wake = (gateId: string): void => {
    for (const each of chains) each.wake(gateId)
  }
  begin()
  const waiting = startLoop({
    everyMs: gateCheckMs,
    step: async () => begin(),
    onError: (error) => log.error({ err: error }, 'cannot follow chains'),
  })
  const channels = [
    simulatedChainChannel,
    followedChainMoved,
    signerAnswered,
    payoutApproved,
    webhookDeliveryChannel,
  ]
  const listener = listen(url, channels, {
    onNotification: (channel, gateId) => {
      if (channel === webhookDeliveryChannel) deliveries.wake()
      else if (channel === signerAnswered) spends.wakeForAnswers()
      else if (channel === payoutApproved) spends.wakeForApprovals()
      else if (channel === followedChainMoved) spends.wakeForBlocks()
      else wake(gateId)
    },
    onConnected: () => {
      deliveries.wake()
      spends.wakeForBlocks()
      for (const gate of app.gates.list()) wake(gate.id)
    },
    onLost: (error) =>
      log.warn(
        { err: error },
        'lost notifications of approvals, signatures, blocks and webhooks; polling for them',
      ),
  })
  closers.add(() =>
    Promise.all(
      [...chains.flatMap(({ loops }) => loops), ...spends.loops, waiting].map((loop) => loop.stop()),
    ),
  )
  closers.add(() => listener.close())
}
