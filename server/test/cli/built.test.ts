import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { makeTemporaryFolder } from '../support/processes/temporary-folder.ts'

it('the command runs the bundle, and the sources themselves as soon as any of them has changed', async () => {
  const { path, remove } = await makeTemporaryFolder()
  const place = async (file: string, text: string) => {
    await mkdir(join(path, file, '..'), { recursive: true })
    await writeFile(join(path, file), text)
  }
  try {
    await cp(join(import.meta.dirname, '../../bin'), join(path, 'server/bin'), { recursive: true })
    await place('package.json', '{"type":"module"}')
    await place('package-lock.json', '{}')
    await place('server/package.json', '{}')
    await place('scripts/build-server.ts', '')
    await place('web/ui/src/qr-coder.ts', '')
    await place('sdk/src/client.ts', '')
    await place('server/src/wire/main.ts', `export const main = () => console.log('source' as string)`)
    await place('server/src/domain/rule.ts', 'export const rule = 1')
    const run = () =>
      execFileSync(process.execPath, [join(path, 'server/bin/sluice.mjs')], { encoding: 'utf8' })
    expect(run()).toBe('source\n')

    await place('server/dist/sluice.js', `export const main = () => console.log('built')`)
    expect(run()).toBe('source\n')
    const { hashOfSource, lookOfSource, lookStamp, stamp } = await import(
      pathToFileURL(join(path, 'server/bin/built.mjs')).href
    )
    await place(join('server/dist', stamp), hashOfSource())
    expect(run()).toBe('built\n')

    for (const file of [
      'server/src/domain/rule.ts',
      'server/src/domain/another.ts',
      'sdk/src/client.ts',
      'package-lock.json',
    ]) {
      await place(join('server/dist', stamp), hashOfSource())
      expect(run()).toBe('built\n')
      await place(file, 'export const rule = 2')
      expect(run(), file).toBe('source\n')
    }

    // What the file system says about the sources is enough, and no change escapes it: neither one of the same size and with
    // the old time of modification nor one right after another.
    await rm(join(path, 'server/dist', stamp))
    const rule = join(path, 'server/src/domain/rule.ts')
    await utimes(rule, 1_000, 1_000)
    expect(lookOfSource()).toBeNull()
    await expect.poll(lookOfSource).not.toBeNull()
    await place(join('server/dist', lookStamp), lookOfSource())
    expect(run()).toBe('built\n')
    await writeFile(rule, 'export const rule = 3')
    await utimes(rule, 1_000, 1_000)
    expect(run()).toBe('source\n')
    await expect.poll(lookOfSource).not.toBeNull()
    expect(run()).toBe('source\n')
  } finally {
    await remove()
  }
})

it('the bundle imports nothing that makes Node load its implementation of fetch', async () => {
  const folder = join(import.meta.dirname, '../../dist')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  expect(files).toContain('role-process.js')
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const imports = texts.flatMap((text) => [...text.matchAll(/ from "(node:[^"]+)"/g)])
  const builtins = new Set(imports.map(([, name]) => name))
  expect(builtins.size).toBeGreaterThan(10)
  const load = [...builtins].map((name) => `import '${name}'`).join(';')
  const loaded = execFileSync(
    process.execPath,
    ['--input-type=module', '-e', `${load};console.log(process.moduleLoadList.join())`],
    { encoding: 'utf8' },
  )
  expect(loaded).toContain('NativeModule net')
  expect(loaded).not.toContain('undici')
})
