import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createLog } from '../../../src/log.ts'
import { createSigningSession, signerSeat } from '../../../src/signer/signing-session.ts'
import { signerAnswered } from '../../../src/store/spends/announcements.ts'
import { bundlePrograms, forkProgram } from '../../crash/children.ts'
import { query } from '../../support/database/database.ts'
import { makeTemporaryFolder } from '../../support/processes/temporary-folder.ts'
import { type Desk, deskWords, openDesk } from '../../support/signer/signer-desk.ts'
import { settingsOf } from '../../support/signer/signer-limits.ts'

let programs: string
let desk: Desk
const children: ChildProcess[] = []
beforeAll(async () => {
  programs = await bundlePrograms()
})
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  await desk.close()
})

function startChild(mode: 'hold' | 'run', dataDir = desk.folder.path) {
  const child = forkProgram(programs, 'sign-child', [desk.url, dataDir, deskWords, mode], {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  })
  children.push(child)
  let said = ''
  child.stdout?.on('data', (chunk) => {
    said += chunk
  })
  return {
    child,
    said: () => said.split('\n').filter((word) => word !== ''),
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

function session(dataDir = desk.folder.path) {
  const logged: string[] = []
  const seat = signerSeat(dataDir)
  const made = createSigningSession({
    app: desk.app,
    url: desk.url,
    dataDir,
    wallet: desk.wallet,
    seat,
    settings: settingsOf(),
    log: createLog('info', { write: (line) => logged.push(JSON.parse(line).msg) }),
  })
  return {
    ...made,
    logged,
    async close() {
      await made.close()
      seat.release()
    },
  }
}

it('a signer killed with -9 between journal and database stores the same bytes at the next start', async () => {
  const { spendId, payout } = await desk.ordinary()
  const signer = startChild('hold')
  await expect.poll(signer.said).toContain('journaled')
  expect((await desk.outcome(spendId)).hash).toBeNull()
  await signer.kill()
  const [journaled] = (await desk.reopenJournal()).all()
  expect(journaled).toMatchObject({ spendId, payoutIds: [payout.id] })
  await desk.journal().close()
  const next = session()
  expect(await next.step()).toBe(1)
  await next.close()
  expect((await desk.outcome(spendId)).hash).toBe(journaled?.hash)
  expect((await desk.reopenJournal()).all()).toHaveLength(1)
})

// The hostile database cannot tell whether this check is there: without it, the changed plan would be judged as a further attempt of the
// spend, and `check-journal.ts` holds those to the same coins or nonce, payouts and amounts. It keeps the journal to one
// transaction for each attempt.
it('a journaled attempt whose plan was changed in the database is refused', async () => {
  const { spendId, plan } = await desk.ordinary()
  const signer = startChild('hold')
  await expect.poll(signer.said).toContain('journaled')
  await signer.kill()
  await desk.reopenJournal()
  await desk.forge('spend_transactions', 'update spend_transactions set plan = $2 where spend_id = $1', [
    spendId,
    JSON.stringify({ ...plan, feeUnits: 999n }, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  ])
  expect(await desk.sign()).toBe(0)
  expect((await desk.outcome(spendId)).refusal).toMatch('a different transaction for this attempt')
})

// A long run kills it more often.
const kills = Number(process.env.SLUICE_SIGNER_KILLS ?? '1')

it('after kills at any moment, every stored signature is in the journal, and in the end every spend is signed', async () => {
  const spends: string[] = []
  await desk.journal().close()
  for (let round = 0; round < kills; round++) {
    for (let each = 0; each < 3; each++) spends.push((await desk.ordinary()).spendId)
    const signer = startChild('run')
    await expect.poll(() => signer.said().length).toBeGreaterThan(round % 3)
    await signer.kill()
  }
  const last = session()
  await expect
    .poll(async () => {
      await last.step()
      return (await desk.app.store.spends.unsigned('test', 50)).length
    })
    .toBe(0)
  await last.close()
  const journal = await desk.reopenJournal()
  for (const spendId of spends) expect(journal.has((await desk.outcome(spendId)).hash ?? '')).toBe(true)
  expect(journal.all()).toHaveLength(spends.length)
})

it('of two signers on one folder, the second waits, logs it once, and takes over when the first is killed', async () => {
  await desk.journal().close()
  const first = startChild('run')
  await expect.poll(first.said).toContain('ready')
  const { spendId } = await desk.ordinary()
  await expect.poll(async () => (await desk.outcome(spendId)).hash).not.toBeNull()
  const second = session()
  expect(await second.step()).toBe(0)
  expect(await second.step()).toBe(0)
  expect(second.logged).toEqual(['another signer is using this wallet folder: this one waits until it ends'])
  await first.kill()
  const next = await desk.ordinary()
  await expect.poll(() => second.step()).toBe(1)
  expect((await desk.outcome(next.spendId)).hash).not.toBeNull()
  await second.close()
  await desk.reopenJournal()
})

it('of two signers with the same seed on two hosts, the second waits, and the first writes nothing after losing its lease', async () => {
  const other = await openDesk({ database: desk.test })
  const folder = await makeTemporaryFolder()
  const first = startChild('hold', other.folder.path)
  await other.journal().close()
  try {
    const { spendId } = await desk.ordinary()
    await expect.poll(first.said).toContain('journaled')
    const second = session()
    expect(await second.step()).toBe(0)
    expect(second.logged).toEqual([
      'another signer is serving this environment of the database: this one waits until it ends',
    ])

    first.child.kill('SIGSTOP')
    await expect.poll(() => second.step()).toBe(1)
    const { hash } = await desk.outcome(spendId)
    await query(desk.url, 'update spend_transactions set sent_at = clock_timestamp() where spend_id = $1', [
      spendId,
    ])
    const [before] = await query(desk.url, 'select xmin::text from spend_transactions where spend_id = $1', [
      spendId,
    ])
    first.child.kill('SIGCONT')
    first.child.stdin?.write('go on\n')
    await expect.poll(first.said).toContain('failed')
    expect(
      await query(desk.url, 'select xmin::text from spend_transactions where spend_id = $1', [spendId]),
    ).toEqual([before])
    expect((await desk.outcome(spendId)).hash).toBe(hash)
    await second.close()
    await desk.reopenJournal()
  } finally {
    await first.kill()
    await other.close()
    await folder.remove()
  }
})

it('a signer whose journal lacks the database’s signatures signs nothing and says what to do', async () => {
  const { spendId } = await desk.ordinary()
  await desk.sign()
  const other = await openDesk({ database: desk.test })
  await other.journal().close()
  const next = await desk.ordinary()
  const alone = session(other.folder.path)
  expect(await alone.step()).toBe(0)
  expect((await desk.outcome(next.spendId)).refusal).toMatch(/which the journal lacks.*wallet reconcile/)
  expect(alone.logged).toContain('NOTHING IS SIGNED')
  expect((await desk.outcome(spendId)).hash).not.toBeNull()
  await alone.close()
  await other.close()
})

it('planning wakes the signer, and its signature or refusal wakes the workers', async () => {
  await desk.journal().close()
  const signer = session()
  await signer.step()
  let woken = 0
  signer.onPlanned(() => woken++)
  const answers = await hearAnswers()
  const { spendId } = await desk.ordinary()
  await expect.poll(() => woken).toBe(1)
  expect(answers.count()).toBe(0)
  expect(await signer.step()).toBe(1)
  expect(signer.isIdle()).toBe(false)
  await expect.poll(answers.count).toBe(1)
  expect((await desk.outcome(spendId)).hash).not.toBeNull()

  const refused = await desk.ordinary({ approvers: [] })
  await expect.poll(() => woken).toBe(2)
  expect(await signer.step()).toBe(0)
  expect((await desk.outcome(refused.spendId)).refusal).not.toBeNull()
  await expect.poll(answers.count).toBe(2)
  // The same refusal again is no news.
  await signer.step()
  expect(signer.isIdle()).toBe(true)
  await query(desk.url, `select pg_notify('${signerAnswered}', 'last')`)
  await expect.poll(answers.last).toBe('last')
  expect(answers.count()).toBe(3)
  await signer.close()
  await answers.close()
  await desk.reopenJournal()
})

async function hearAnswers() {
  const heard: string[] = []
  const client = new pg.Client({ connectionString: desk.url })
  await client.connect()
  client.on('notification', ({ payload = '' }) => heard.push(payload))
  await client.query(`listen ${signerAnswered}`)
  return { count: () => heard.length, last: () => heard.at(-1), close: () => client.end() }
}
