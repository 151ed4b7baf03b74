import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { publicKeys } from '../../simulator/gate/keys.ts'
import { changing, type Fault } from '../../support/nodes/fault-proxy.ts'
import type { Json } from '../../support/nodes/xrp-ledger.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { stranger, type XrpHarness, xrpHarness } from '../xrp/harness.ts'
import { trying } from './trying.ts'

const xrp = 1_000_000n
const units = 3n * xrp
const forged = 900n * xrp
const other = 'AB'.repeat(32)

let harness: XrpHarness
let hash: string
let paying: { index: number; hash: string; parentHash: string }
beforeEach(async () => {
  harness = await xrpHarness({}, 1)
  await harness.mine(3)
  hash = harness.send({ Amount: String(units), DestinationTag: 7 })
  harness.send({ Amount: String(2n * xrp), Destination: stranger })
  await harness.mine(1)
  paying = harness.server.ledger.closed.at(-1) as typeof paying
  await harness.mine(2)
})
afterEach(() => harness.close())

const tried = (urls = [harness.proxy.url], blocks = 5) => trying('xrp', '1', urls, { blocks })

/** Changes the ledger with the payments wherever it is shown as JSON. */
const lying = (change: (ledger: Json) => Json): Fault =>
  changing('ledger', (result) =>
    result.ledger?.ledger_hash === paying.hash ? { ...result, ledger: change(result.ledger) } : result,
  )

/** Changes the payment in that ledger, and its answer alone. */
function changingPayment(change: (transaction: Json) => Json): Fault {
  const inLedger = lying((ledger) => ({
    ...ledger,
    transactions: ledger.transactions?.map((each: Json) => (each.hash === hash ? change(each) : each)),
  }))
  const alone = changing('tx', (result) => {
    if (result.hash !== hash) return result
    const { meta, ...transaction } = result
    const { metaData, ...changed } = change({ ...transaction, metaData: meta })
    return { ...changed, meta: metaData }
  })
  return async (exchange, response) =>
    (exchange.methods.includes('tx') ? alone : inLedger)(exchange, response)
}

const delivering = (amount: bigint) => (transaction: Json) =>
  transaction.metaData === undefined
    ? transaction
    : { ...transaction, metaData: { ...transaction.metaData, delivered_amount: String(amount) } }

/** The payment, with a balance of the receiver that is higher by as much as it is said to have delivered more. */
const payingMore = (transaction: Json) => {
  const shown = delivering(units + forged)(transaction)
  const AffectedNodes = shown.metaData.AffectedNodes.map((node: Json) => {
    const fields = node.ModifiedNode?.FinalFields
    if (fields?.Account !== publicKeys.xrp) return node
    const Balance = String(BigInt(fields.Balance) + forged)
    return { ModifiedNode: { ...node.ModifiedNode, FinalFields: { ...fields, Balance } } }
  })
  return { ...shown, metaData: { ...shown.metaData, AffectedNodes } }
}

it('a sound server passes every check', async () => {
  const { report, names, of } = await tried()
  expect(names('failed')).toEqual([])
  expect(names('skipped')).toEqual([])
  expect(of('chain').says).toBe('It is on the right chain: xrp 1.')
  expect(of('synced').says).toContain('It has 21 peers. It has the ledgers 1-7.')
  expect(of('hashes').says).toContain('every transaction, and all of it that decides what Sluice credits')
  expect(of('hashes').says).not.toContain(';')
  expect(of('alone').says).toBe('2 payments have the same amount alone as in their block.')
  expect(of('history').says).toContain('By its own word it has all since then.')
  expect(of('fees').says).toBe('A fee of 5000 drops for a transaction is enough, below the ceiling of 10000.')
  expect(report.servers[0]?.software).toBe('rippled 2.6.0')
})

it('several servers that say the same agree, and one that says otherwise is named', async () => {
  const same = await tried([harness.proxy.url, harness.server.url])
  expect(same.report.agreement).toMatchObject({ state: 'passed', says: '2 servers show the same blocks.' })
  harness.proxy.fault = lying((ledger) => ({ ...ledger, close_time: ledger.close_time - 10 }))
  const differing = await tried([harness.server.url, harness.proxy.url])
  expect(differing.names('failed')).toEqual([])
  expect(differing.names('failed', 2)).toEqual(['hashes'])
  expect(differing.report.agreement.lie).toMatchObject({
    call: expect.stringMatching(new RegExp(`^block ${paying.index} on server 2 \\(127\\.0\\.0\\.1:\\d+\\)$`)),
    said: expect.stringMatching(/^that it was made at /),
  })
})

it('what is secret in a URL is nowhere in the report', async () => {
  const url = `${harness.proxy.url}KEY-0f3a9c?api-key=OTHER-77b1`
  harness.proxy.fault = changing('fee', () => ({
    error: 'unknownCmd',
    error_code: 32,
    error_message: `no ${url}`,
  }))
  const { report, of } = await tried([url])
  expect(of('methods').says).toContain('fee (needed to know the fee of a payout): unknownCmd: no ')
  expect(JSON.stringify(report)).not.toMatch(/0f3a9c|77b1/)
})

describe('a lie is named:', () => {
  it('another network', async () => {
    harness.server.state.networkId = 2
    const { of, names } = await tried()
    expect(of('chain').lie).toEqual({
      call: 'server_info',
      said: 'that its network is 2',
      truth: 'it must be 1',
    })
    expect(names('passed')).toEqual(['reachable'])
  })

  it('a wrong parent', async () => {
    harness.proxy.fault = lying((ledger) => ({ ...ledger, parent_hash: other }))
    const { of } = await tried()
    expect(of('blocks').lie).toEqual({
      call: `block ${paying.index} (${paying.hash})`,
      said: `that its parent is ${other}`,
      truth: `block ${paying.index - 1} is ${paying.parentHash}`,
    })
    expect(of('hashes').lie).toMatchObject({
      said: `that its parent is ${other}`,
      truth: `the header, whose hash is right, says that it is ${paying.parentHash}`,
    })
  })

  it('a hash that changes between two readings', async () => {
    let isFirst = true
    harness.proxy.fault = changing('ledger', (result, [{ ledger_index }]) => {
      if (ledger_index !== paying.index || result.ledger.ledger_hash === undefined) return result
      const shown = isFirst ? result : { ...result, ledger: { ...result.ledger, ledger_hash: other } }
      isFirst = false
      return shown
    })
    expect((await tried()).of('payments').lie).toEqual({
      call: `block ${paying.index}, read with its payments,`,
      said: `that it is ${other}`,
      truth: `without them it said that it is ${paying.hash}`,
    })
  })

  it('a hash that is not that of the bytes', async () => {
    harness.proxy.fault = changing('ledger', (result, [{ binary, ledger_index }]) =>
      binary === true && ledger_index === paying.index
        ? {
            ...result,
            ledger: { ...result.ledger, ledger_data: result.ledger.ledger_data.replace(/00$/, '01') },
          }
        : result,
    )
    expect((await tried()).of('hashes').lie).toMatchObject({
      call: `ledger ${paying.index} (binary)`,
      truth: expect.stringMatching(
        new RegExp(`^the hash of these 118 bytes is [0-9A-F]{64}, and not ${paying.hash}$`),
      ),
    })
  })

  it('a forged delivered amount', async () => {
    harness.proxy.fault = changingPayment(delivering(forged))
    const { of } = await tried()
    expect(of('payments').lie).toEqual({
      call: `ledger ${paying.index}`,
      said: `that ${hash} delivered ${forged} drops to ${publicKeys.xrp}`,
      truth: `in the same answer the balance of ${publicKeys.xrp} changes by ${units}`,
    })
  })

  it('a delivered amount that is forged only where the transaction is shown alone', async () => {
    const fault = changingPayment(delivering(forged))
    harness.proxy.fault = (exchange, response) =>
      exchange.methods.includes('tx') ? fault(exchange, response) : exchange.ask()
    expect((await tried()).of('alone').lie).toMatchObject({
      call: `tx ${hash}`,
      said: `that ${hash} delivered ${forged} drops to ${publicKeys.xrp}`,
    })
  })

  it('a forged balance that fits the delivered amount, by the bytes', async () => {
    harness.proxy.fault = changingPayment(payingMore)
    const { of } = await tried()
    expect(of('payments').state).toBe('passed')
    expect(of('hashes').lie).toEqual({
      call: `ledger ${paying.index}`,
      said: `that ${hash} changes the balance of ${publicKeys.xrp} by ${units + forged} drops`,
      truth: `by its bytes, whose hash is right, it is ${units}`,
    })
  })

  it('another destination tag, by the bytes', async () => {
    harness.proxy.fault = changingPayment((transaction) => ({ ...transaction, DestinationTag: 8 }))
    expect((await tried()).of('hashes').lie).toMatchObject({
      said: `that the destination tag of ${hash} is 8`,
      truth: 'by its bytes, whose hash is right, it is 7',
    })
  })

  it('a payment that is left out, in words or in bytes', async () => {
    const without = (result: Json) => ({
      ...result,
      ledger: { ...result.ledger, transactions: result.ledger.transactions?.slice(1) },
    })
    harness.proxy.fault = changing('ledger', (result, [{ binary, ledger_index }]) =>
      binary !== true && ledger_index === paying.index ? without(result) : result,
    )
    expect((await tried()).of('hashes').lie).toMatchObject({
      said: expect.stringMatching(/^that [0-9A-F]{64} is not in it$/),
    })
    harness.proxy.fault = changing('ledger', (result, [{ ledger_index }]) =>
      ledger_index === paying.index ? without(result) : result,
    )
    expect((await tried()).of('hashes').lie).toMatchObject({
      said: expect.stringMatching(/^that these are its 1 transactions, whose tree has the hash /),
    })
  })

  it('a transaction that is not known alone', async () => {
    harness.proxy.fault = changing('tx', (result) =>
      result.hash === hash ? { error: 'txnNotFound', error_code: 29 } : result,
    )
    expect((await tried()).of('alone').lie).toMatchObject({
      call: `tx ${hash}`,
      said: `that there is no transaction ${hash}`,
    })
  })

  it('another transaction in place of the one that is asked for', async () => {
    harness.proxy.fault = changing('tx', (result) =>
      result.hash === hash ? { ...result, hash: other } : result,
    )
    expect((await tried()).of('alone').lie).toEqual({
      call: `tx ${hash}`,
      said: `that it is ${other}`,
      truth: 'it was asked for another one',
    })
  })

  it('something made up', async () => {
    harness.proxy.fault = changing('account_info', (result, [{ account }]) =>
      result.error === 'actNotFound'
        ? { account_data: { Account: account, Balance: '5', OwnerCount: 0, Sequence: 1 }, validated: true }
        : result,
    )
    expect((await tried()).of('unknown').lie?.call).toMatch(/^account_info r/)
  })

  it('ledgers that it claims to have', async () => {
    harness.proxy.fault = changing('server_info', ({ info }) => ({
      info: { ...info, complete_ledgers: '1-7' },
    }))
    harness.server.state.oldest = paying.index - 1
    const { of } = await tried()
    expect(of('blocks').lie).toMatchObject({
      call: 'server_info',
      said: 'that it has the ledgers 1-7',
      truth: expect.stringMatching(/^asked for ledger [12], it says that it does not have it$/),
    })
    expect((await tried(undefined, 2)).of('history').lie).toMatchObject({
      said: 'that it has the ledgers 1-7',
    })
  })
})

it('answers without any text are no fault of ours', async () => {
  const textless = { toString: null }
  const fields = ['complete_ledgers', 'peers', 'build_version', 'clio_version', 'server_state'] as const
  for (const field of fields) {
    harness.proxy.fault = changing('server_info', ({ info }) => ({ info: { ...info, [field]: textless } }))
    expect(JSON.stringify((await tried(undefined, 2)).report)).toContain('something else')
  }
  harness.proxy.fault = changingPayment((transaction) => ({ ...transaction, hash: textless }))
  expect((await tried()).of('hashes')).toMatchObject({ state: 'failed', lie: null })
  harness.proxy.fault = changingPayment((transaction) => ({ ...transaction, Account: textless }))
  expect((await tried()).of('hashes').lie?.said).toBe(`that the sender of ${hash} is something else`)
  for (const error of [textless, 'noPermission']) {
    const refused = { error, error_code: 6, error_message: textless }
    harness.proxy.fault = changing('fee', () => refused)
    expect((await tried()).of('fees').state).toBe('failed')
  }
})

it('a refusal of any length is read in no time', async () => {
  const error_message = 'method '.repeat(100_000)
  harness.proxy.fault = changing('fee', () => ({ error: 'odd', error_code: 6, error_message }))
  expect((await tried(undefined, 2)).of('methods')).toMatchObject({ state: 'failed', lie: null })
})

it('what a server says is cut to what people read', async () => {
  harness.proxy.fault = changingPayment((transaction) => ({ ...transaction, Account: 'r'.repeat(1_000_000) }))
  const { said } = (await tried()).of('hashes').lie ?? { said: '' }
  expect(said).toMatch(/^that the sender of [0-9A-F]{64} is r+…$/)
  expect(said.length).toBe(4_001)
})

it('a server with too little history fails, and what to do is said', async () => {
  harness.server.state.oldest = paying.index - 1
  const { of } = await tried(undefined, 2)
  expect(of('history')).toMatchObject({ state: 'failed', lie: null })
  expect((await tried()).of('blocks')).toMatchObject({
    state: 'failed',
    lie: null,
    says: expect.stringContaining(`only ${paying.index - 1}-7`),
    todo: expect.stringContaining('online_delete'),
  })
})

it('a server with a gap in its history fails', async () => {
  harness.proxy.fault = changing('server_info', ({ info }) => ({
    info: { ...info, complete_ledgers: '1-2,4-7' },
  }))
  expect((await tried()).of('history')).toMatchObject({
    state: 'failed',
    says: expect.stringContaining('not all since then: it has 1-2,4-7.'),
  })
})

it.each([
  ['does not know the network’s rules', { amendmentBlocked: true }, 'amendment blocked'],
  ['is not in sync', { state: 'connected' }, 'not in sync'],
  ['has an old ledger', { age: 300 }, '300 seconds old'],
])('a server that %s fails as not synced', async (_, wrong, words) => {
  Object.assign(harness.server.state, wrong)
  const { of, names } = await tried()
  expect(of('synced')).toMatchObject({ state: 'failed', says: expect.stringContaining(words) })
  expect(names('passed')).toContain('chain')
})

it('a server that is too busy at first is asked again, and that is counted', async () => {
  let isFirst = true
  harness.proxy.fault = async ({ ask, methods }) => {
    if (!isFirst || !methods.includes('fee')) return ask()
    isFirst = false
    return JSON.stringify({ result: { error: 'tooBusy', error_code: 9, status: 'error' } })
  }
  const { of } = await tried(undefined, 1)
  expect(of('fees').state).toBe('passed')
  expect(of('rate_limit')).toMatchObject({
    state: 'failed',
    says: expect.stringMatching(/^It refused 1 of \d+ requests/),
  })
})

it('the command prints the report and ends with 0, or with 1 if anything failed, and shows no secret', async () => {
  const secret = 'planted-secret-7f3a'
  const args = ['gate', 'try', 'xrp', '--chain', '1', '--blocks', '3', '--url']
  const url = `${harness.proxy.url}${secret}?key=${secret}`
  const good = await runCommand([...args, url], {})
  expect(good.stdout).toMatch(/^Sluice \S+ tried a server of xrp \(1\) at /)
  expect(good.stdout).toMatch(/\n14 passed, 0 failed, 1 skipped\.\n$/)
  expect(good.code).toBe(0)
  harness.proxy.fault = changingPayment(delivering(forged))
  const bad = await runCommand([...args, url], {})
  expect(bad.stdout).toMatch(/^FAILED {3}payments: LIE: ledger \d+ says that [0-9A-F]{64} delivered /m)
  expect(bad.stdout).toContain('→ Do not use this server for money')
  expect(bad.code).toBe(1)
  for (const { stdout, stderr } of [good, bad]) expect(stdout + stderr).not.toContain(secret)
})

it('a fee above the ceiling fails', async () => {
  harness.server.state.fees.open = 20_000n
  expect((await tried()).of('fees')).toMatchObject({
    state: 'failed',
    says: expect.stringMatching(/above the ceiling of 10000\.$/),
  })
})
