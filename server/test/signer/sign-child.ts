import { flushCompileCache } from 'node:module'
import { createLog } from '../../src/log.ts'
import { createSigningSession, signerSeat } from '../../src/signer/signing-session.ts'
import { openWallet } from '../../src/signer/wallet.ts'
import { currencies } from '../support/shop/registry.ts'
import { settingsOf } from '../support/signer/signer-limits.ts'

/**
 * A signer in a process of its own, to be killed or stopped. It prints `journaled` when signatures are on disk and not
 * handed out yet, and with `hold` waits there until it is told to continue.
 */
const [, , url = '', dataDir = '', words = '', mode = ''] = process.argv
const wallet = await openWallet(words, 'test', currencies)
const say = (word: string) => process.stdout.write(`${word}\n`)
const goOn = new Promise<void>((resolve) => process.stdin.once('data', () => resolve()))
// The events of these tests are not read.
const shown = () => ({})
const session = createSigningSession({
  app: {
    now: () => new Date(),
    assets: currencies,
    present: { invoice: shown, payout: shown, refund: shown },
  },
  url,
  dataDir,
  wallet,
  seat: signerSeat(dataDir),
  settings: settingsOf(),
  log: createLog('silent', { write: () => {} }),
  onJournaled: async () => {
    say('journaled')
    if (mode === 'hold') await goOn
  },
})
// A process that is killed would leave nothing for the next one.
flushCompileCache()
say('ready')
for (;;) {
  try {
    if ((await session.step()) > 0) say('handed')
  } catch {
    say('failed')
  }
  await new Promise((resolve) => setTimeout(resolve, 5))
}
