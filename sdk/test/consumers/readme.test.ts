import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { laySdk } from '../../../scripts/release/parts.ts'
import * as sdk from '../../../sdk/src/client.ts'
import { blocksOf } from '../../../server/test/support/pages/claims.ts'
import {
  makeTemporaryFolder,
  type TemporaryFolder,
} from '../../../server/test/support/processes/temporary-folder.ts'
import { complaintsOf, root } from './consumer-project.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

const readme = readFileSync(join(root, 'sdk/README.md'), 'utf8')
const blocks = blocksOf('client in TypeScript').map(({ language, text }) => ({ language, code: `${text}\n` }))
const examples = blocks.filter(({ language }) => language === 'ts').map(({ code }) => code)

let folder: TemporaryFolder
let standIn: StandIn
const files: string[] = []
beforeAll(async () => {
  folder = await makeTemporaryFolder('sluice-readme-')
  standIn = await startStandIn()
  await laySdk(join(folder.path, 'node_modules/@sluice/sdk'))
  writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }')
  // The client of the first example is there in all the others, as a reader would have it.
  const setUp = (examples[0] ?? '').split('\nconst invoice =')[0] ?? ''
  for (const [at, code] of examples.entries()) {
    const whole = code.includes('createSluice(') ? code : `${setUp}\n${code}\nexport { sluice }\n`
    const file = `example-${at + 1}.ts`
    writeFileSync(join(folder.path, file), whole.replace('http://127.0.0.1:8080', standIn.origin))
    files.push(file)
  }
})
afterAll(async () => {
  await standIn.close()
  await folder.remove()
})

describe('the examples of the README', () => {
  it('are all found, and none is in a language that is not checked', () => {
    expect(examples.length).toBeGreaterThanOrEqual(8)
    expect(blocks.map(({ language }) => language).filter((language) => language !== 'ts')).toEqual(['sh'])
    const { version } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8'))
    expect(blocks[0]?.code).toBe(`npm install ./sluice-sdk-${version}.tgz\n`)
    for (const code of examples.slice(1)) expect(code).not.toContain('createSluice(')
  })

  it('have the right types', async () => {
    const node = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')], lib: ['es2022'] }
    const settings = { module: 'nodenext', allowImportingTsExtensions: true, skipLibCheck: true, ...node }
    const lenient = { ...settings, noPropertyAccessFromIndexSignature: false }
    expect(await complaintsOf(folder.path, '@typescript/native', files, lenient)).toBe('')
  })

  it('run', async () => {
    for (const file of files) await run(file)
  })

  it('have a handler that takes what Sluice signs, and refuses the rest', async () => {
    const file = files[examples.findIndex((code) => code.includes('function POST'))]
    const driver = `
      import { webhooks } from '@sluice/sdk'
      import { POST } from './${file}'
      const sent = await (await fetch('${standIn.origin}/a-webhook')).json()
      process.env.SLUICE_WEBHOOK_SECRET = sent.secret
      for (const body of [sent.body, sent.body + ' ']) {
        const request = new Request('http://shop/', { method: 'POST', headers: sent.headers, body })
        console.log((await POST(request)).status)
      }`
    writeFileSync(join(folder.path, 'driver.ts'), driver)
    expect(await run('driver.ts')).toBe('ship null\n204\n400\n')
  })
})

async function run(file: string): Promise<string> {
  const env = { ...process.env, SLUICE_API_KEY: `sk_test_${'ab'.repeat(32)}` }
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder.path, env })
  return stdout
}

describe('the README', () => {
  it('names every error class', () => {
    const classes = Object.keys(sdk).filter((name) => /^[A-Z]\w*Error$/.test(name))
    expect(classes.length).toBeGreaterThan(9)
    expect(classes.filter((name) => !readme.includes(name))).toEqual([])
  })

  it('names every part of the client, and every helper of the test environment', () => {
    const sluice = sdk.createSluice({ baseUrl: 'http://127.0.0.1:1/api' })
    for (const name of Object.keys(sluice)) expect(readme).toMatch(new RegExp(`\`${name}[\`(]`))
    for (const name of Object.keys(sluice.test))
      expect(readme).toMatch(new RegExp(`\`${name}\`|test\\.${name}\\(`))
  })
})
