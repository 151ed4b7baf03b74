import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { guides, listings } from '../../guides/src/contents.ts'

const root = join(import.meta.dirname, '../../..')
let copy: string

beforeEach(async () => {
  copy = await mkdtemp(join(tmpdir(), 'sluice-pages-'))
  const scripts = [
    'build-web',
    'build-guides',
    'svelte-plugin',
    'compress-files',
    'page-font',
    'fresh-folder',
    'replace-folder',
  ].map((name) => `scripts/${name}.ts`)
  const pages = [
    'checkout/src',
    'checkout/messages',
    'dashboard/src',
    'dashboard/messages',
    'dashboard/reasons',
    'guides/src',
    'ui/src',
  ].map((part) => `web/${part}`)
  const generated = ['contract', 'operations', 'values'].map((name) => `web/${name}.generated.ts`)
  const described = ['web/package.json', ...generated, 'package.json', 'package-lock.json']
  const documents = [...guides.map(({ source }) => source), ...Object.values(listings)]
  for (const part of [...scripts, ...pages, ...described, ...documents])
    await cp(join(root, part), join(copy, part), { recursive: true })
})
afterEach(() => rm(copy, { recursive: true, force: true }))

const build = (environment = '') =>
  promisify(execFile)(process.execPath, [join(copy, 'scripts/build-web.ts')], {
    cwd: copy,
    env: { ...process.env, NODE_ENV: environment },
  })
const dist = (name: string) => join(copy, 'web/checkout/dist', name)

it('without its tools nothing is built and nothing fails, and a message says what to do', async () => {
  const { stderr } = await build()
  expect(stderr).toContain('npm ci')
  await expect(stat(dist(''))).rejects.toThrow('ENOENT')
})

it('the output is readable by any user, rebuilt only after a change, and leaves no other files', async () => {
  await mkdir(join(copy, 'node_modules/@sluice'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@sluice') await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  await symlink(join(copy, 'web'), join(copy, 'node_modules/@sluice/web'))
  // Built from the same sources, here already: most of the time goes into these two.
  for (const page of ['dashboard', 'guides'])
    await cp(join(root, `web/${page}/dist`), join(copy, `web/${page}/dist`), { recursive: true })
  const others = () =>
    Promise.all(
      ['dashboard/dist/page.html', 'guides/dist/built-from'].map(
        async (name) => (await stat(join(copy, 'web', name))).mtimeMs,
      ),
    )
  const untouched = await others()

  await build()
  expect(await others()).toEqual(untouched)
  expect((await stat(dist(''))).mode & 0o777).toBe(0o755)
  const [before, scripts] = [await stat(dist('server/render.js')), await readdir(dist('client'))]
  await build()
  expect((await stat(dist('server/render.js'))).mtimeMs).toBe(before.mtimeMs)

  const german = join(copy, 'web/checkout/messages/de.json')
  await writeFile(german, (await readFile(german, 'utf8')).replace('Kopieren', 'Abschreiben'))
  // In every environment all other files are as they were.
  await build('development')
  expect(await readFile(dist('server/render.js'), 'utf8')).toContain('Abschreiben')
  const changed = (await readdir(dist('client'))).filter((name) => !scripts.includes(name))
  expect(changed.every((name) => /^(de|main)-/.test(name))).toBe(true)
  // Each uncompressed, and compressed in two ways.
  expect(changed).toHaveLength(2 * 3)
  expect((await readdir(join(copy, 'web/checkout'))).sort()).toEqual(['dist', 'messages', 'src'])
  expect((await readdir(join(copy, 'web/dashboard'))).sort()).toEqual(['dist', 'messages', 'reasons', 'src'])
  expect((await readdir(join(copy, 'web/guides'))).sort()).toEqual(['dist', 'src'])
})
