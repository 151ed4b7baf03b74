/**
 * Fills the test environment of a running Sluice with some weeks of a shop's business, by its public API:
 *
 * npm run demo-data -- [--invoices 300] [--weeks 6] [--seed 1] [--url http://127.0.0.1:8080 --key sk_test_…]
 *
 * Without a URL and a key it takes those of the demo merchant on this machine, and adds people to its team. The merchant's test clock is
 * moved day by day and stays ahead, so take a merchant whose test environment is not in use.
 */
import { parseArgs } from 'node:util'
import { readConnection } from '../server/src/cli/developer/connection.ts'
import { inWords as failureInWords, failureOf, UsageError } from '../server/src/cli/failure.ts'
import { readSettings } from '../server/src/settings/settings.ts'
import { readDemo } from '../server/src/wire/demo-file.ts'
import { patientClient } from './demo-data/client.ts'
import { addPeople } from './demo-data/people.ts'
import { counted, inWords, playWeeks } from './demo-data/play-weeks.ts'

const most = { invoices: 5_000, weeks: 26, seed: 4_294_967_295 }
const usage = `npm run demo-data -- [--invoices 300] [--weeks 6] [--seed 1] [--key sk_test_…] [--url http://127.0.0.1:8080]

Without --key it fills the demo merchant on this machine. --url needs --key.`
const say = (line: string) => console.log(line)

try {
  const { values } = parseArgs({
    options: {
      invoices: { type: 'string', default: '300' },
      weeks: { type: 'string', default: '6' },
      seed: { type: 'string', default: '1' },
      url: { type: 'string' },
      key: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    say(usage)
    process.exit()
  }
  const whole = (name: 'invoices' | 'weeks' | 'seed', least: number): number => {
    const value = Number(values[name])
    if (Number.isSafeInteger(value) && value >= least && value <= most[name]) return value
    throw new UsageError(`--${name} must be a whole number from ${least} to ${most[name]}.`)
  }
  // The demo merchant's key goes nowhere but to this machine.
  if (values.url !== undefined && values.key === undefined && !process.env.SLUICE_API_KEY?.trim())
    throw new UsageError('--url needs --key: a key for the test environment of that Sluice.')
  const plan = { invoices: whole('invoices', 1), weeks: whole('weeks', 1), seed: whole('seed', 0) }
  const tools = { readSettings: () => readSettings(process.env), readDemo }
  const { url, key, environment } = await readConnection(tools, values)
  if (environment === 'live')
    throw new UsageError('That key is live. Made-up data is for the test environment only: use a test key.')

  const sluice = patientClient(url, key, say)
  say(
    `Making ${counted(plan.invoices, 'invoice')} over ${counted(plan.weeks, 'week')} at ${url} (seed ${plan.seed}).`,
  )
  const played = await playWeeks(sluice, plan, say)
  const { now } = await sluice.test.getClock()
  say(`Done: ${inWords(played)}. The merchant's test clock shows ${now}.`)
  say(
    'BNB Smart Chain is offline for this merchant, so that a payout waits. POST /v1/test/gates brings it back.',
  )
  const demo = await readDemo(tools.readSettings())
  if (demo?.key === key) {
    say('People of the team, who sign in at /dashboard:')
    await addPeople(demo.merchantId, say)
  }
} catch (error) {
  const isArguments =
    error instanceof TypeError && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS')
  console.error(isArguments ? error.message : failureInWords(failureOf(error)))
  process.exitCode = 1
}
