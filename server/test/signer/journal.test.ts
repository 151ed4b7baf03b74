import { randomBytes, randomUUID } from 'node:crypto'
import { appendFile, open, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Journal, openJournal } from '../../src/signer/journal.ts'
import { createJournalIndex } from '../../src/signer/journal-index.ts'
import { journalLine, lineBody, type Signature } from '../../src/signer/journal-lines.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

const header = { environment: 'test', wallet: 'a'.repeat(16) } as const
let folder: TemporaryFolder
let path: string
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  path = join(folder.path, 'test-journal.jsonl')
})
afterEach(() => folder.remove())

function signature(over: Partial<Signature> = {}): Signature {
  const hash = randomBytes(32).toString('hex')
  return {
    spendId: randomUUID(),
    attempt: 1,
    kind: 'payout',
    gateId: 'bitcoin-test',
    payouts: [
      {
        id: randomUUID(),
        destination: 'tb1',
        tag: null,
        units: 5n,
        currency: 'BTC',
        approvalHash: 'f'.repeat(64),
      },
    ],
    hash,
    bytes: randomBytes(100),
    plan: {
      kind: 'coins',
      inputs: [{ txHash: hash, outputIndex: 1, units: 10n ** 30n, key: { chain: 'deposit', index: 7 } }],
      outputs: [],
      change: null,
      feeUnits: 3n,
    },
    maxFeeUnits: 3n,
    value: new Map([['BTC', 8n]]),
    at: new Date('2026-01-01T00:00:00Z'),
    ...over,
  }
}

async function write(...signatures: Signature[]): Promise<void> {
  const journal = await openJournal(path, header)
  for (const each of signatures) journal.note(each)
  await journal.save()
  await journal.close()
}

async function opened<T>(work: (journal: Journal) => T | Promise<T>): Promise<T> {
  const journal = await openJournal(path, header)
  try {
    return await work(journal)
  } finally {
    await journal.close()
  }
}

const hashes = () => opened((journal) => journal.all().map(({ hash }) => hash))

it('a recorded signature is read back to the byte, from a file readable only by its owner', async () => {
  const first = signature()
  await write(first, signature())
  await opened(async (journal) => {
    const found = journal.find(first.spendId, 1)
    expect(found).toBeDefined()
    expect(await journal.read(found as never)).toEqual({ ...first, bytes: Buffer.from(first.bytes) })
    expect(journal.ofPayout(first.payouts[0]?.id ?? '')).toHaveLength(1)
  })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

it('a last line cut off anywhere is removed, and the journal continues after the lines before it', async () => {
  const [kept, torn] = [signature(), signature()]
  await write(kept)
  const whole = (await stat(path)).size
  await write(torn)
  const end = (await stat(path)).size
  const text = await readFile(path)
  for (const length of [whole + 1, whole + 20, Math.floor((whole + end) / 2), end - 1]) {
    await writeFile(path, text.subarray(0, length))
    expect(await hashes()).toEqual([kept.hash])
    expect((await stat(path)).size).toBe(whole)
  }
  const next = signature()
  await write(next)
  expect(await hashes()).toEqual([kept.hash, next.hash])
})

describe('any other damage stops everything, with the line number', () => {
  beforeEach(() => write(signature(), signature(), signature()))
  const lines = async () => (await readFile(path, 'utf8')).split('\n')
  const put = async (changed: readonly string[]) => writeFile(path, changed.join('\n'))
  it.each([
    [
      'a changed amount',
      async () => put((await lines()).map((each, at) => (at === 2 ? each.replace('"5"', '"6"') : each))),
      3,
    ],
    ['a removed line', async () => put((await lines()).filter((_, at) => at !== 2)), 3],
    [
      'two swapped lines',
      async () => put((([a, b, c, ...rest]) => [a, c, b, ...rest] as string[])(await lines())),
      2,
    ],
    ['a removed first line', async () => put((await lines()).slice(1)), 1],
    ['a foreign line', () => appendFile(path, '{"version":1,"sum":"x"}\n'), 5],
    ['garbage', () => appendFile(path, '\u0000\u0000\n'), 5],
    [
      'a truncated last line that still ends with a newline',
      async () => {
        const { size } = await stat(path)
        await truncate(path, size - 30)
        await appendFile(path, '\n')
      },
      4,
    ],
  ])('%s', async (_, damage, line) => {
    await damage()
    const before = await readFile(path)
    await expect(openJournal(path, header)).rejects.toThrow(`damaged at line ${line}`)
    expect(await readFile(path)).toEqual(before)
  })
})

it('the journal of another wallet is not used', async () => {
  await write(signature())
  await expect(openJournal(path, { ...header, wallet: 'b'.repeat(16) })).rejects.toThrow('another wallet')
})

it('saving returns once the disk has the data, and a disk failure makes the journal unusable', async () => {
  const journal = await openJournal(path, header)
  const probe = await open(path)
  const prototype = Object.getPrototypeOf(probe)
  await probe.close()
  const order: string[] = []
  const sync = vi.spyOn(prototype, 'datasync').mockImplementation(async () => {
    order.push(`synced ${(await readFile(path, 'utf8')).split('\n').length - 1} lines`)
  })
  try {
    journal.note(signature())
    await journal.save()
    order.push('saved')
    expect(order).toEqual(['synced 2 lines', 'saved'])
    sync.mockRejectedValueOnce(new Error('EIO'))
    journal.note(signature())
    await expect(journal.save()).rejects.toThrow('EIO')
    await expect(journal.save()).rejects.toThrow('Restart the signer')
  } finally {
    sync.mockRestore()
    await journal.close()
  }
})

it('the amounts that left since a moment are summed by gate and currency', async () => {
  const at = (time: string) => ({ at: new Date(`2026-01-01T${time}Z`) })
  await write(
    signature(at('00:00:00')),
    signature(at('01:00:00')),
    signature({ ...at('02:00:00'), gateId: 'litecoin-test' }),
  )
  await opened((journal) => {
    const since = (time: string) => new Date(`2026-01-01T${time}Z`).getTime()
    expect(journal.spentSince('bitcoin-test', 'BTC', since('00:30:00'))).toBe(8n)
    expect(journal.spentSince('bitcoin-test', 'BTC', 0)).toBe(16n)
    expect(journal.spentSince('bitcoin-test', 'LTC', 0)).toBe(0n)
  })
})

it('a large journal is read in chunks', async () => {
  const many = Array.from({ length: 800 }, () => signature({ bytes: randomBytes(1_000) }))
  await write(...many)
  expect((await stat(path)).size).toBeGreaterThan(2 << 20)
  expect(await hashes()).toEqual(many.map(({ hash }) => hash))
})

it('a transaction accepted in an older journal stays settled by hand, and one accepted today is put back without its payouts', () => {
  const older = { version: 1, accepted: 'aa', at: '2026-01-01T00:00:00.000Z' }
  const at = new Date('2026-11-01')
  const today = lineBody({ kind: 'acceptance', acceptance: { accepted: 'bb', at, isLost: true } })
  const index = createJournalIndex()
  for (const body of [older, today]) {
    const line = journalLine(body)
    if (line?.kind === 'acceptance') index.accept(line.acceptance)
  }
  expect([index.isAccepted('aa'), index.isLost('aa')]).toEqual([true, false])
  expect([index.isAccepted('bb'), index.isLost('bb')]).toEqual([false, true])
})
