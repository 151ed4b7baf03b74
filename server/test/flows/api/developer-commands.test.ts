import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stories } from '../../../src/cli/developer/stories.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { eventually, startHookReceiver } from '../../support/servers/hook-receiver.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
})
afterAll(() => service.stop())

/** Runs a command as a developer on another machine does: with a URL and a key, and nothing else. */
const sluice = (...args: string[]) =>
  runCommand(args, {
    SLUICE_URL: service.url,
    SLUICE_API_KEY: shop.key,
    SLUICE_DATA_DIR: '/nonexistent',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  })

/** Its result, which must be a success. */
async function result(...args: string[]) {
  const { code, stdout, stderr } = await sluice(...args, '--json')
  expect([code, stdout], stderr).toEqual([0, expect.stringMatching(/^\{.*\}\n$/)])
  return JSON.parse(stdout)
}

const credited = ['invoice.confirming', 'invoice.payment_detected', 'balance.credited', 'invoice.paid']
const outcomes: Record<string, readonly string[]> = {
  'invoice.paid': credited,
  'invoice.underpaid': [...credited.slice(0, 3), 'invoice.underpaid'],
  'invoice.overpaid': [...credited, 'invoice.overpaid'],
  'invoice.expired': ['invoice.confirming', 'invoice.expired'],
  'invoice.late': ['invoice.confirming', 'invoice.expired', 'balance.credited', 'invoice.late_deposit'],
  reorg: [...credited, 'invoice.deposit_reversed'],
  'payout.completed': [...credited, 'payout.approved', 'payout.processing', 'payout.completed'],
  'payout.failed': [...credited, 'payout.approved', 'payout.failed'],
  'refund.completed': [
    ...credited,
    'payout.approved',
    'payout.processing',
    'payout.completed',
    'refund.completed',
  ],
  'static-deposit': credited,
}

describe('trigger', () => {
  it.each(stories)('$name happens, with its real events: $description', async ({ name }) => {
    const told = await result('trigger', name)
    expect(told.story).toBe(name)
    expect(told.events).toEqual(expect.arrayContaining([...(outcomes[name] ?? ['no outcome known'])]))
    const { events } = await result('events', 'list', '--resource', told.payout_id ?? told.invoice_id)
    expect(events[0].event).toBe((outcomes[name] ?? []).findLast((each) => !each.startsWith('refund.')))
  })

  it('tells each step and each event in words, and ends with where to look', async () => {
    const { stdout } = await sluice('trigger', 'invoice.expired')
    const lines = stdout.split('\n')
    expect(lines[0]).toMatch(/^→ created invoice \S+ over 0\.001 BTC$/)
    const [ended, expired, done, page, dashboard] = [
      /^→ ended the payment window/,
      /^ {2}← [\d:]+ {2}invoice\.expired /,
      /^Done: /,
      /\/pay\/\S+$/,
      /\/dashboard$/,
    ].map((words) => lines.findIndex((line) => words.test(line)))
    const order = [0, ended, expired, done, page, dashboard]
    expect(order).toEqual(order.toSorted((one, other) => Number(one) - Number(other)))
    expect(order.slice(1)).not.toContain(-1)
  })

  it('--list describes every story', async () => {
    expect((await result('trigger', '--list')).stories).toHaveLength(stories.length)
  })

  it('refuses a live key', async () => {
    const { key } = await service.makeKey(shop.merchantId, { environment: 'live' })
    const refused = await sluice('trigger', 'invoice.paid', '--key', key)
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      1,
      '',
      expect.stringContaining('test key'),
    ])
  })
})

it('the clock of the test environment is shown and moved forward, by a duration or to a time', async () => {
  const mover = await openShop(service)
  const own = ['--key', mover.key]
  await mover.create({ currency: 'BTC', amount: '0.01' })
  expect(await result('clock', ...own)).toMatchObject({ ahead_seconds: 0 })
  const { stdout } = await sluice('clock', 'advance', '90m', ...own)
  expect(stdout).toMatch(/1 h 30 min ahead of the real time\)\nDue by then: 1 window of an invoice\.\n$/)
  const to = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString()
  expect((await result('clock', 'advance', to, ...own)).now >= to).toBe(true)
  for (const [args, says] of [
    [['advance', 'soon'], 'How far?'],
    [['advance', '0h'], 'How far?'],
    [['advance', '2020-01-01T00:00:00Z'], 'must be later than'],
  ] as const) {
    const refused = await sluice('clock', ...args, ...own)
    expect([refused.code, refused.stderr], args.join(' ')).toEqual([1, expect.stringContaining(says)])
  }
  const { key } = await service.makeKey(shop.merchantId, { environment: 'live' })
  expect((await sluice('clock', 'advance', '1h', '--key', key)).stderr).toContain('test key')
})

it('invoices are created, shown, listed and cancelled over the API', async () => {
  const made = await result(
    'invoice',
    'create',
    '--currency',
    'BTC',
    '--amount',
    '0.01',
    '--external-id',
    'A1',
  )
  expect(made).toMatchObject({ amount: '0.01', currency: 'BTC', external_id: 'A1', status: 'pending' })
  expect((await result('invoice', 'get', made.id)).payments).toEqual([])
  expect((await result('invoice', 'list', '--limit', '1')).invoices).toMatchObject([{ id: made.id }])
  expect(await result('invoice', 'cancel', made.id)).toMatchObject({ status: 'cancelled' })
  const deferred = await result('invoice', 'create', '--fiat', '49.90USD')
  expect(deferred).toMatchObject({ amount_fiat: '49.90', fiat_currency: 'USD', currency: null })
  const unnamed = await sluice('invoice', 'create', '--amount', '0.01')
  expect(unnamed.stderr).toMatch(/^currency: is required with amount \(request \S+\)\n$/)
})

it('an endpoint is created, tested, listed without its secret and deleted over the API; an event is sent again', async () => {
  const receiver = await startHookReceiver()
  try {
    const made = await result('webhook', 'create', receiver.url, '--events', 'invoice.cancelled')
    expect(made.secret).toMatch(/^whsec_/)
    const { event_id } = await result('webhook', 'test', made.endpoint_id)
    await eventually(() => expect(receiver.of({ id: event_id })).toHaveLength(1))
    const { stdout } = await sluice('webhook', 'list')
    expect(stdout).toContain(`${made.endpoint_id}  enabled  ${receiver.url}`)
    expect(stdout).not.toContain('whsec_')
    expect(await result('events', 'resend', event_id)).toEqual({ event_id, endpoint_ids: [made.endpoint_id] })
    await eventually(() => expect(receiver.of({ id: event_id })).toHaveLength(2))
    expect((await result('events', 'get', event_id)).deliveries).toHaveLength(1)
    expect(await result('webhook', 'delete', made.endpoint_id)).toMatchObject({
      endpoint_id: made.endpoint_id,
    })
    expect((await result('webhook', 'list')).endpoints).toEqual([])
  } finally {
    await receiver.close()
  }
})

describe('with --json a failure is one line of JSON on standard error, and the exit code is 1', () => {
  it.each([
    [['invoice', 'get', 'x'], 'validation_error'],
    [['invoice', 'create'], 'usage'],
    [['webhook', 'create'], 'usage'],
    [['webhook', 'list', '--environment', 'test'], 'usage'],
    [['trigger', 'nonsense'], 'usage'],
    [['listen'], 'usage'],
    [['events', 'tail', '--after', 'x'], 'usage'],
    [['no-such-command'], 'usage'],
    [['invoice', 'list', '--no-such-option'], 'usage'],
    [['invoice', 'list', '--key', 'sk_test_1'], 'usage'],
    [['invoice', 'list', '--url', 'ftp://x'], 'usage'],
    [['invoice', 'list', '--key', `sk_test_${'0'.repeat(64)}`], 'unauthorized'],
    [['merchant', 'update', 'nobody', '--fee-bps', 'x'], 'usage'],
  ])('%j: %s', async (args, code) => {
    const failed = await sluice('--json', ...args)
    expect([failed.code, failed.stdout]).toEqual([1, ''])
    const { error } = JSON.parse(failed.stderr)
    expect(error).toMatchObject({ code, message: expect.stringMatching(/./) })
    expect(failed.stderr).not.toContain(shop.key)
  })
})

it('real bash completes commands, options and values from the script that completion prints', async () => {
  const script = (await sluice('completion', 'bash')).stdout
  const complete = async (...words: string[]) => {
    const ask = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sluice; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = await promisify(execFile)('bash', ['-euc', ask, 'bash', ...words])
    return stdout.trim().split('\n')
  }
  expect(await complete('sluice', 'li')).toEqual(['listen'])
  expect(await complete('sluice', '--json', 'events', 'r')).toEqual(['resend'])
  expect(await complete('sluice', 'webhook', '')).toEqual(
    expect.arrayContaining(['create', 'list', 'delete']),
  )
  expect(await complete('sluice', 'trigger', 'payout.')).toEqual(['payout.completed', 'payout.failed'])
  expect(await complete('sluice', 'listen', '--f')).toEqual(['--forward'])
  expect(await complete('sluice', 'start', '--role', 'w')).toEqual(['worker'])
  expect((await sluice('completion', 'fish')).stdout).toContain('-l forward')
  expect((await sluice('completion', 'zsh')).stdout).toContain('#compdef sluice')
})
