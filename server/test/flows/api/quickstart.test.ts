import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSecret, signedHeaders } from '../../../src/domain/webhooks.ts'
import { asSuperuser, runSql } from '../../support/database/database.ts'
import { blocksOf } from '../../support/pages/claims.ts'
import { commandsWithDemo, runProgram } from '../../support/pages/run-page.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { eventually } from '../../support/servers/hook-receiver.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { quiet, Shop } from '../../support/shop/shop.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const pages = readdirSync(join(root, 'docs/quickstart'))

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())

it.each(pages)('%s does what it says, as it is printed', async (name) => {
  const port = await freePort()
  mkdirSync(join(root, 'tmp'), { recursive: true })
  const folder = mkdtempSync(join(root, 'tmp/quickstart-'))
  for (const link of ['clients', 'docs', 'scripts']) symlinkSync(join(root, link), join(folder, link))

  const script: string[] = ['set -eu']
  for (const { language, text: printed, before } of blocksOf('quick starts', `docs/quickstart/${name}`)) {
    // Only the two ports are others than printed.
    const text = `${printed}\n`
      .replaceAll('127.0.0.1:8080', new URL(service.url).host)
      .replaceAll(/\b3000\b/g, String(port))
    // A block that is a file comes after its name.
    const file = /Save this as `([\w.]+)`/.exec(before)?.[1]
    if (file !== undefined) writeFileSync(join(folder, file), text)
    else if (language !== 'sh') throw new Error(`A block in ${language} has no file.`)
    else if (!/\breceiver?\./.test(text)) script.push(text)
    else
      script.push(
        `${text.trim()} &`,
        `until curl -so /dev/null http://127.0.0.1:${port}/; do sleep 0.05; done`,
      )
  }
  script.push('wait')
  const { key } = await service.makeKey(await service.makeMerchant())
  const env = {
    PATH: `${commandsWithDemo(folder, key)}:${dirname(process.execPath)}:/usr/bin:/bin`,
    PYTHONDONTWRITEBYTECODE: '1',
    // Kept between runs, since a newer Go compiles its library first; it fetches nothing.
    GOCACHE: join(root, 'tmp/go-cache'),
    GOPROXY: 'off',
  }
  const child = spawn('sh', ['-c', script.join('\n')], { cwd: folder, env, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const ended = once(child, 'close')
  try {
    await eventually(() => {
      if (child.exitCode === null) expect(output).toMatch(/(^|\})(\[.*\] )?invoice\.paid /m)
    })
    // The receiver runs until it is stopped: an end is a mistake on the page.
    expect(child.exitCode).toBe(null)
  } catch (error) {
    throw new Error(`${name}: ${output}`, { cause: error })
  } finally {
    endGroup(child.pid as number)
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  expect(output.match(/^paid$|"status":"paid"/gm)?.length ?? 0).toBeGreaterThan(0)
})

/** Ends what a page started and is still running. */
function endGroup(id: number): void {
  try {
    process.kill(-id, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

it('every language has its page', () => {
  expect(pages.sort()).toEqual(['curl.md', 'go.md', 'php.md', 'python.md', 'typescript.md'])
})

describe('other code of the pages', () => {
  let shop: Shop
  let folder: string
  let env: Record<string, string>

  beforeAll(async () => {
    const merchantId = await service.makeMerchant()
    const { key } = await service.makeKey(merchantId)
    shop = new Shop(service, merchantId, key)
    mkdirSync(join(root, 'tmp'), { recursive: true })
    folder = mkdtempSync(join(root, 'tmp/printed-'))
    symlinkSync(join(root, 'clients'), join(folder, 'clients'))
    env = {
      SLUICE_API_KEY: key,
      SLUICE: service.url,
      SLUICE_KEY: key,
      SLUICE_WEBHOOK_SECRET: makeSecret(randomBytes),
      PATH: `${commandsWithDemo(folder, key)}:/usr/bin:/bin`,
      PYTHONPATH: join(root, 'clients/python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const here = (text: string) => text.replaceAll('127.0.0.1:8080', new URL(service.url).host)
  /** Runs a program that must not fail, and returns what it says. */
  async function run(...command: [string, ...string[]]): Promise<string> {
    const { code, said } = await runProgram(command, env, folder)
    expect(code, said).toBe(0)
    return said
  }
  const webhook = (secret = env.SLUICE_WEBHOOK_SECRET ?? '') => {
    const id = 'evt_019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e'
    const body = JSON.stringify({ ...invoicePaid, id })
    return {
      body,
      headers: signedHeaders([secret], { id, timestampSeconds: Math.floor(Date.now() / 1000), body }),
    }
  }
  const invoicePaid = {
    event: 'invoice.paid',
    created_at: '2026-01-01T00:00:00.000Z',
    environment: 'test',
    data: { id: '019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e', amount_paid: '0.01' },
  }

  it('the page of the client in Python is one program', async () => {
    const blocks = blocksOf('client in Python')
    const code = blocks.filter(({ language }) => language === 'python').map(({ text }) => here(text))
    const installs = blocks.filter(({ language }) => language !== 'python').map(({ text }) => text)
    expect(installs).toEqual(['pip install ./clients/python'])
    expect(existsSync(join(root, 'clients/python/pyproject.toml'))).toBe(true)
    const good = webhook()
    const forged = webhook(makeSecret(randomBytes))
    const driver = [good, forged].map(
      ({ headers, body }) => `print(receive(${JSON.stringify(body)}.encode(), ${JSON.stringify(headers)}))`,
    )
    writeFileSync(join(folder, 'page.py'), [...code, ...driver].join('\n'))
    // An event is listed once no open transaction can put another before it, and other tests share this PostgreSQL.
    const said = await eventually(async () => {
      const page = await run('/usr/bin/python3', '-W', 'error', 'page.py')
      expect(page).toMatch(/^\d+ invoice\.confirming$/m)
      return page
    })
    expect(said).toMatch(/^http\S+ tb1\S+ 0\.\d+\n/)
    expect(said).toMatch(/nowhere|destination/)
    expect(said).toMatch(/\n019a8554\S+ 0\.01\n204\n400\n$/)
  })

  it('the page of the client in PHP is one program and a receiver', async () => {
    const blocks = blocksOf('client in PHP')
    const [composer] = blocks.filter(({ language }) => language === 'json')
    const { url } = JSON.parse(composer?.text ?? '').repositories[0]
    expect(JSON.parse(readFileSync(join(root, url, 'composer.json'), 'utf8')).name).toBe('sluice/sluice')
    const code = blocks.filter(({ language }) => language === 'php').map(({ text }) => here(text))
    const isReceiver = (text: string) => text.includes('php://input')
    expect(code.length + 1).toBe(blocks.length)
    writeFileSync(join(folder, 'page.php'), code.filter((text) => !isReceiver(text)).join('\n'))
    const said = await eventually(async () => {
      const page = await run('/usr/bin/php', '-d', 'error_reporting=-1', 'page.php')
      expect(page).toMatch(/^http\S+ 0\.\d+\n\d+ invoice\.confirming\n/)
      return page
    })
    expect(said).toContain('destination')
    expect(said).not.toMatch(/Warning|Notice|Deprecated/)

    writeFileSync(
      join(folder, 'receiver.php'),
      ["<?php require 'clients/php/autoload.php';", ...code.filter(isReceiver)].join('\n'),
    )
    const port = await freePort()
    const server = spawn('/usr/bin/php', ['-S', `127.0.0.1:${port}`, 'receiver.php'], { cwd: folder, env })
    let logged = ''
    server.stderr.on('data', (chunk) => (logged += chunk))
    const ended = once(server, 'close')
    try {
      await eventually(() => expect(logged).toContain('started'))
      const statuses = []
      for (const { headers, body } of [webhook(), webhook(makeSecret(randomBytes))])
        statuses.push((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status)
      expect(statuses).toEqual([204, 400])
      await eventually(() => expect(logged).toMatch(/019a8554\S+ 0\.01/))
    } finally {
      server.kill()
      await ended
    }
  })

  it('the first invoice and the payout of the README', async () => {
    const script = ['set -eu', ...blocksOf('first invoice').map(({ text }) => here(text))].join('\n')
    expect(script).toMatch(/^KEY=\$\(npx sluice demo/m)
    // Blocks come by themselves on a service that is not under test.
    let isDone = false
    const mining = (async () => {
      while (!isDone) {
        await shop.call('mineTestBlocks', { json: { network: 'bitcoin', count: 1 } })
        await sleep(100)
      }
    })()
    const said = await run('bash', '-c', script.replaceAll('sleep 1', 'sleep 0.1')).finally(
      () => (isDone = true),
    )
    await mining
    expect(said).toContain(`open ${service.url}/pay/`)
    expect(said).toMatch(/"status":"paid"/)
    expect(said).toMatch(/"status":"completed"/)
  })

  it('a payout and a refund, line by line', async () => {
    for (const { text } of blocksOf('walk of a payout')) {
      const [first = '', second = '', ...lines] = here(text).replace('sk_test_…', shop.key).split('\n')
      const known = new Map<string, string>()
      for (const line of lines.filter((each) => each !== '')) {
        const filled = line.replaceAll(/tb1…|PAYOUT_ID|INVOICE_ID/g, (word) => known.get(word) ?? word)
        const { data } = JSON.parse(await run('bash', '-c', [first, second, filled].join('\n')))
        expect(data, filled).toBeDefined()
        if (line.startsWith('post invoices'))
          known.set('tb1…', data.deposit_address).set('INVOICE_ID', data.id)
        if (line.startsWith('post payouts')) known.set('PAYOUT_ID', data.id)
      }
      expect(known.size).toBe(3)
    }
  })

  it('the calls by curl', async () => {
    // The host of a URL must resolve.
    for (const { text } of blocksOf('calls by curl')) {
      const answer = JSON.parse(await run('bash', '-c', text.replace('shop.example.com', '127.0.0.1')))
      expect(answer).toMatchObject({ data: { secret: expect.stringMatching(/^whsec_/) } })
    }
  })

  it('the stream of events has the printed shape', async () => {
    const shape = (text: string) =>
      text.split('\n').map((line) => line.replace(/\d{30,}/, 'N').replace(/^data: \{"id":"evt_.*/, 'data'))
    for (const { text } of blocksOf('event stream')) {
      const [command = '', ...answer] = text.split('\n')
      const expected = shape(answer.join('\n'))
      const child = spawn('bash', ['-c', `exec ${here(command.slice(2))}`], {
        env,
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let said = ''
      child.stdout.on('data', (chunk) => (said += chunk))
      const ended = once(child, 'close')
      try {
        await eventually(() => expect(said).toContain(': caught up'))
        const { body } = await shop.expect(201, 'createInvoice', {
          json: { amount: '0.01', currency: 'BTC' },
        })
        const deposit = { address: body.data.deposit_address, amount: '0.01', currency: 'BTC' }
        await shop.expect(201, 'createTestDeposit', { json: deposit })
        await shop.call('mineTestBlocks', { json: { network: 'bitcoin', count: 2 } })
        await eventually(() => expect(said).toContain('event: invoice.paid'))
        // Positions without an event of interest may come in between.
        const [beginning, event] = [expected.slice(0, 6), expected.slice(6)]
        const found = shape(said)
        expect(found.slice(0, 6)).toEqual(beginning)
        const at = found.indexOf('event: invoice.paid') - 1
        expect(found.slice(at, at + event.length)).toEqual(event)
      } finally {
        child.kill()
        await ended
      }
    }
  })

  it('the error is what the service answers', async () => {
    for (const { text } of blocksOf('error answer')) {
      const printed = JSON.parse(text)
      const { body } = await shop.expect(400, 'createInvoice', { json: { amount: '0', currency: 'BTC' } })
      expect(printed.error).toEqual(body.error)
      expect(Object.keys(printed.meta)).toEqual(Object.keys(body.meta))
      expect(printed.meta.request_id).toHaveLength(body.meta.request_id.length)
    }
  })

  it('the statements for the database run', async () => {
    // Roles belong to the whole server.
    const own = (text: string) => text.replaceAll(/\bsluice(?=\b|_)/g, `page_${process.pid}`)
    const { url } = service.database
    const ofServer = asSuperuser(url)
    const made: string[] = []
    try {
      for (const { text } of blocksOf('statements in SQL'))
        for (const statement of own(text).replaceAll(/--.*/g, '').split(';')) {
          if (statement.trim() === '' || /^\s*(begin|commit)$/.test(statement)) continue
          const [, kind, name] = /create (role|database) (\w+)/.exec(statement) ?? []
          await runSql(kind === undefined ? url : ofServer, statement)
          if (kind !== undefined) made.unshift(`drop ${kind} ${name}`)
        }
      expect(made.length).toBeGreaterThan(3)
    } finally {
      await runSql(ofServer, ...made)
    }
  })
})
