import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../support/servers/free-port.ts'
import { eventually } from '../../support/servers/hook-receiver.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { quiet } from '../../support/shop/shop.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const pages = readdirSync(join(root, 'docs/quickstart'))

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())

type Block = { readonly language: string; readonly text: string; readonly file: string | undefined }

/** The code of a page in order. A block that is a file comes after its name: "Save this as `invoice.py`". */
function blocksOf(page: string): Block[] {
  return [...page.matchAll(/((?:Save this as `([\w.]+)`)?[^`]*)```(\w+)\n(.*?)```/gs)].map(
    ([, , file, language = '', text = '']) => ({ language, text, file }),
  )
}

it.each(pages)('%s does what it says, as it is printed', async (name) => {
  const port = await freePort()
  // Only the two ports are others than printed.
  const page = readFileSync(join(root, 'docs/quickstart', name), 'utf8')
    .replaceAll('127.0.0.1:8080', new URL(service.url).host)
    .replaceAll(/\b3000\b/g, String(port))
  mkdirSync(join(root, 'tmp'), { recursive: true })
  const folder = mkdtempSync(join(root, 'tmp/quickstart-'))
  for (const link of ['clients', 'docs', 'scripts']) symlinkSync(join(root, link), join(folder, link))

  const script: string[] = ['set -eu']
  for (const { language, text, file } of blocksOf(page)) {
    if (file !== undefined) writeFileSync(join(folder, file), text)
    else if (language !== 'sh') throw new Error(`A block in ${language} has no file.`)
    // The service of this test has no demo merchant; it gives its key.
    else if (text.startsWith('export SLUICE_API_KEY=')) continue
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
    SLUICE_API_KEY: key,
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
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
