import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Asset } from '../src/domain/assets.ts'
import { invoiceStatuses } from '../src/domain/invoices.ts'
import type { DepositAddress } from '../src/gates/family.ts'
import { transferRequest } from '../src/gates/solana/payment-link.ts'
import { readSettings } from '../src/settings/settings.ts'
import { settingNames } from './support/deploy-files.ts'
import { allCode, blocksOf, claims, kinds, kindsOf } from './support/pages/claims.ts'
import { root } from './support/pages/code-blocks.ts'
import { programs } from './support/pages/other-programs.ts'
import { commandsOf } from './support/pages/shell.ts'
import { unknownIn } from './support/pages/sluice-command.ts'

const { blocks, spans } = allCode()
const nameOf = ({ page, text }: { page: string; text: string }) => `${page}: ${text.split('\n', 1)[0]}`

describe('the code on our pages', () => {
  it('is found, fenced and indented, in lists and in the descriptions of the contract', () => {
    expect(blocks.length).toBeGreaterThan(120)
    expect(blocks.some(({ page, text }) => page === 'README.md' && text === 'npm ci && npm start')).toBe(true)
    expect(
      blocks.some(({ page, text }) => page.endsWith('deploy.md') && text.startsWith('./prepare.sh')),
    ).toBe(true)
    expect(spans.some(({ page, text }) => page === 'contract' && text === 'X-API-Key')).toBe(true)
  })

  it('is of exactly one kind, whose test checks it', () => {
    const unclear = blocks.filter((block) => kindsOf(block).length !== 1)
    expect(unclear.map((block) => `${nameOf(block)} (${kindsOf(block)})`)).toEqual([])
  })

  it('a kind has blocks, and its test takes them', () => {
    for (const kind of kinds) {
      expect(blocksOf(kind).length, kind).toBeGreaterThan(0)
      expect(readFileSync(join(root, claims[kind].test), 'utf8'), kind).toContain(`blocksOf('${kind}'`)
    }
  })

  it('a block of a kind that no one has thought of is of none', () => {
    const made = { page: 'docs/new.md', before: '', language: 'rust', text: 'fn main() {}' }
    expect(kindsOf(made)).toEqual([])
    expect(kindsOf({ ...made, language: 'json', text: '{}' })).toEqual([])
    expect(kindsOf({ ...made, language: '', text: 'some words' })).toEqual([])
  })
})

describe('commands', () => {
  /** What is wrong with the commands of a script. */
  async function wrongIn(text: string): Promise<string[]> {
    execFileSync('bash', ['-n'], { input: text })
    const found: string[] = []
    for (const { set, words } of commandsOf(text)) {
      for (const each of [...set, ...(words[0] === 'export' ? words.slice(1) : [])]) {
        const [name = ''] = each.split('=')
        if (!settingNames.has(name) && name !== 'PGPASSWORD') found.push(`no setting ${name}`)
      }
      if (words[0] === undefined) continue
      const check = programs[words[0]]
      const wrong = check === undefined ? `unknown program ${words[0]}` : await check(words)
      if (wrong !== null) found.push(`${words.join(' ')}: ${wrong}`)
    }
    return found
  }

  it.each(blocksOf('commands').map((block) => [nameOf(block), block.text]))('%s', async (_, text) => {
    expect(await wrongIn(text)).toEqual([])
  })

  it.each([
    'npx sluice wallet inti --environment live',
    'npx sluice wallet init --enviroment live',
    'npx sluice wallet init --environment lvie',
    'npx sluice suspense release --merchant MERCHANT_ID',
    'docker compose run --rm worker merchant creat --name "My shop"',
    'docker compose run --rm wroker merchant create --name "My shop"',
    'docker build --target slice .',
    'kubectl create secret generic sluice-servise --from-file=database-url',
    'SLUICE_CONFG=/etc/sluice.json npm start',
    'npm run biuld',
    'systemctl start sluice-sinner',
    'useradd --sytem sluice',
    'cp deploy/systmd/*.service /etc/',
    'echo "$(npx sluice dmeo)"',
    'frobnicate',
  ])('one that is wrong is found: %s', async (text) => {
    expect(await wrongIn(text)).toHaveLength(1)
  })

  it('within a sentence exist, and so do their options', async () => {
    const wrong: string[] = []
    let found = 0
    for (const span of spans) {
      const text = span.text.replace(/\s+/g, ' ').trim()
      if (!/^(npx sluice|npm (run|ci|start|test)|docker|kubectl|helm|systemctl|curl) ?/.test(text)) continue
      found++
      // What a reader fills in.
      for (const { words } of commandsOf(text.replaceAll(/[<[][^\]>]*[\]>]|'|…/g, ''))) {
        const [program = ''] = words
        const unknown = program === 'npx' ? unknownIn(words.slice(2)) : null
        const isWhole = /^(npm|curl)$/.test(program)
        const refused = isWhole ? await programs[program]?.(words) : null
        if ((unknown ?? refused ?? null) !== null) wrong.push(`${span.page}: ${text}: ${unknown ?? refused}`)
      }
    }
    expect(found).toBeGreaterThan(200)
    expect(wrong).toEqual([])
  })
})

describe('settings', () => {
  /** A fragment of a gate is read in the example above it. */
  function whole(text: string): string {
    if (text.trim().startsWith('{')) return text
    const [example] = blocksOf('settings', 'docs/operating/bitcoin.md')
    const file = JSON.parse(example?.text ?? '')
    Object.assign(file.gates[0], JSON.parse(`{${text}}`))
    return JSON.stringify(file)
  }

  function read(text: string): void {
    const path = join(tmpdir(), `sluice-page-${process.pid}.json`)
    writeFileSync(path, text)
    try {
      readSettings({ SLUICE_CONFIG: path, DATABASE_URL: 'postgres://sluice@127.0.0.1/sluice' })
    } finally {
      rmSync(path)
    }
  }

  it.each(blocksOf('settings').map((block) => [nameOf(block), block]))('%s', (_, block) => {
    const text = whole(block.text)
    // Keys and addresses are cut on the page.
    const filled = text
      .replace(/zpub6r…/, someZpub)
      .replace(/0x5290…9EE7/, '0x52908400098527886E0F7030069857D2E4169EE7')
    expect(() => read(filled)).not.toThrow()
  })

  it('one that is wrong is refused', () => {
    expect(() => read(whole('"confirmatons": 2'))).toThrow(/confirmatons/)
  })
})

// BIP-84, its first test vector.
const someZpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'

it('the settings of a node exist in the node', () => {
  const help = execFileSync('litecoind', ['-help-debug'], { encoding: 'utf8' })
  for (const { text } of blocksOf('settings of a node')) {
    const names = text.split('\n').flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? [])
    expect(names.length).toBeGreaterThan(3)
    for (const name of names) expect(help).toContain(`-${name}`)
  }
})

it('the line of pg_hba.conf has the columns of PostgreSQL and the role that the page creates', () => {
  for (const { page, text } of blocksOf('line of pg_hba.conf')) {
    const [, role = ''] = /^hostssl replication (\w+) \d+\.\d+\.\d+\.\d+\/\d+ scram-sha-256$/.exec(text) ?? []
    const statements = blocksOf('statements in SQL', page).map((block) => block.text)
    expect(statements.join('\n')).toMatch(new RegExp(`create role ${role} login replication`))
  }
})

it('the request that a receiver gets has the headers and the fields of the contract', () => {
  const contract = JSON.parse(readFileSync(join(root, 'server/src/http/contract.generated.json'), 'utf8'))
  const { parameters, schemas } = contract.components
  for (const { text } of blocksOf('signed request')) {
    const [head = '', body = ''] = text.split('\n\n')
    const [, event = ''] = /"event":"([^"]+)"/.exec(body) ?? []
    const { post } = contract.webhooks[event]
    const described = post.parameters.map(
      ({ $ref }: { $ref: string }) => parameters[$ref.split('/').at(-1) ?? ''].name,
    )
    const headers = [...head.matchAll(/^(webhook-[\w-]+):/gm)].map(([, name]) => name)
    expect(headers).toEqual(described)
    const fields = [...Object.keys(schemas.WebhookFields.properties), 'event', 'data']
    const sent = JSON.parse(body.replace(',…', ''))
    expect([...new Set(fields)].sort()).toEqual(Object.keys(sent).sort())
  }
})

it('a payment URI has the parameters that the service writes', () => {
  const named = (uri: string) => [...uri.matchAll(/[?&]([\w-]+)=/g)].map(([, name]) => name)
  const note = { invoiceId: 'some', label: null, message: 'Order 7' }
  const token = { decimals: 6, contractAddress: 'mint' } as Asset
  const to = { address: 'somewhere' } as DepositAddress
  for (const { text } of blocksOf('payment URI'))
    expect(named(text)).toEqual(named(transferRequest(to, token, 12_500_000n, note)))
})

it('each folder of the layout exists, and so does each that a line names after its own', () => {
  for (const { text } of blocksOf('layout')) {
    let parent = ''
    const paths = text.split('\n').map((line) => {
      const [, indent = '', path = ''] = /^( *)([\w/.-]+\/)(?: |$)/.exec(line) ?? []
      if (indent === '') parent = path
      return indent === '' ? path : `${parent}${path}`
    })
    expect(paths.length).toBeGreaterThan(15)
    expect(paths.filter((path) => path === '' || !existsSync(join(root, path)))).toEqual([])
  }
})

describe('drawings', () => {
  it.each(blocksOf('drawings').map((block) => [nameOf(block), block.text]))(
    '%s holds no command',
    (_, text) => {
      expect(text).not.toMatch(/^\s*(\$|npx|npm|curl|sluice) /m)
    },
  )

  it('the one of an invoice has its states', () => {
    const [drawing] = blocksOf('drawings', 'docs/guides/concepts.md')
    for (const status of invoiceStatuses) expect(drawing?.text).toContain(status)
  })
})

describe('settings of a shop', () => {
  const known = readFileSync(join(root, 'shops/shared/settings.ts'), 'utf8')

  it.each(blocksOf('settings of a shop').map((block) => [nameOf(block), block.text]))('%s', (_, text) => {
    stripTypeScriptTypes(text)
    const block = /baseUrl[^}]*/.exec(text)?.[0] ?? ''
    const names = [...block.matchAll(/^ *(\w+):/gm), ...block.matchAll(/^(\w+):/g)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(3)
    for (const name of names) expect(known).toMatch(new RegExp(`readonly ${name}\\??: `))
  })

  it.each(blocksOf('settings of a shop').map((block) => [nameOf(block), block]))(
    '%s names what its package has',
    (_, { page, text }) => {
      const folder = join(root, dirname(page))
      const read = (path: string) => readFileSync(join(folder, path), 'utf8')
      const { name, exports } = JSON.parse(read('package.json'))
      const named = [...text.matchAll(/'(@sluice\/[\w-]+)(\/[\w/-]+)?'/g)]
      expect(named.length).toBeGreaterThan(0)
      for (const [, packageName, path = ''] of named) {
        expect(packageName).toBe(name)
        if (path !== '') expect(Object.keys(exports)).toContain(`.${path}`)
      }
      for (const [, imported = ''] of text.matchAll(/import \{ (.+) \} from/g))
        for (const each of imported.split(', '))
          expect(read('src/main.ts')).toMatch(new RegExp(`\\b${each}\\b`))
      // The settings that the command `connect` writes.
      const variables = [...text.matchAll(/process\.env\.(\w+)/g)].map(([, variable]) => variable)
      expect(variables.length).toBeGreaterThan(2)
      const written = readFileSync(join(root, 'shops/shared/connect.ts'), 'utf8')
      for (const variable of variables) expect(written).toContain(variable)
    },
  )
})
