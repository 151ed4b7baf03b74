import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

let folder: TemporaryFolder
beforeEach(async () => {
  folder = await makeTemporaryFolder()
})
afterEach(() => folder.remove())

/** Runs `sluice start` on pages that are ready once `pages`, an expression as text, resolves. */
function start(pages: string) {
  const program = new URL('../../bin/program.mjs', import.meta.url)
  const code = `
    import { existsSync, readFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { loadMain } from '${program}'
    async function databaseIsMade() {
      while (!existsSync(process.env.SLUICE_DATA_DIR + '/postgres')) await sleep(10)
      return true
    }
    function signerOf(pid) {
      return readFileSync('/proc/self/task/' + pid + '/children', 'utf8').split(' ')
        .find((child) => child !== '' && readFileSync('/proc/' + child + '/cmdline', 'utf8').split('\\0').includes('signer'))
    }
    async function signerHasEnded() {
      let signer
      while (signer === undefined) {
        await sleep(10)
        signer = signerOf(process.pid)
      }
      // Gone once we have been notified of its end.
      while (existsSync('/proc/' + signer)) await sleep(10)
      await sleep(10)
      return true
    }
    const main = await loadMain()
    await main(['node', 'sluice', 'start', '--json'], ${pages})`
  const { PATH, HOME } = process.env
  const SLUICE_CONFIG = join(import.meta.dirname, '../support/processes/few-addresses.json')
  const env = { PATH, HOME, PORT: '0', SLUICE_METRICS_PORT: '0', SLUICE_CONFIG, SLUICE_DATA_DIR: folder.path }
  const args = ['--input-type=module', '--eval', code]
  const running = promisify(execFile)(process.execPath, args, { env })
  return { running, child: running.child }
}

it('the database is created while the pages are built, and the service starts once they are', async () => {
  const { running, child } = start('databaseIsMade()')
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (line: string) => resolve(JSON.parse(line).url))
    running.catch(reject)
  })
  expect((await fetch(`${url}/dashboard`)).status).toBe(200)
  child.kill('SIGINT')
  await running
})

it('without its pages it does not start, says why, and leaves nothing running', async () => {
  await makeDataFolder(folder.path)
  const { running } = start('Promise.resolve(false)')
  await expect(running).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^\{"error":.*"The pages were not built, .*\. The lines above say why\."\}\}$/m,
    ),
  })
  expect(existsSync(join(folder.path, 'postgres/postmaster.pid'))).toBe(false)
})

it('a signer that ends while the pages are built ends the start cleanly, reported once', async () => {
  await makeDataFolder(folder.path)
  await mkdir(join(folder.path, 'wallet'), { mode: 0o700 })
  await writeFile(join(folder.path, 'wallet/test-wallet.json'), 'not a wallet')
  const { running } = start('signerHasEnded()')
  const failure = await running.then(
    () => expect.unreachable(),
    (error) => error,
  )
  expect(failure).toMatchObject({ code: 1, stdout: '' })
  expect(failure.stderr.match(/ended with code 1 before it was ready/g)).toHaveLength(1)
  const message = 'The process "signer" ended with code 1 before it was ready.'
  expect(failure.stderr).toContain(`\n${JSON.stringify({ error: { code: 'process', message } })}\n`)
  expect(existsSync(join(folder.path, 'postgres/postmaster.pid'))).toBe(false)
})
