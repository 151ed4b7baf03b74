import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const source = fileURLToPath(new URL('../src/', import.meta.url))

/** Every file and package that these load, except types and dynamic imports. */
function loadedWith(entries: readonly string[]): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const walk = (file: string): void => {
    const name = relative(source, file)
    if (files.has(name)) return
    files.add(name)
    const text = readFileSync(file, 'utf8')
    for (const [, what = '', target = ''] of text.matchAll(
      /^(?:import|export) ([^;]*?) ?from '([^']+)'/gms,
    )) {
      const isType = /^type\b/.test(what) || /^\{(\s*type [^,}]+,?)+\s*\}$/.test(what)
      if (isType) continue
      if (!target.startsWith('.')) packages.add(target)
      else if (existsSync(join(dirname(file), target)) && target.endsWith('.ts'))
        walk(join(dirname(file), target))
    }
  }
  for (const entry of entries) walk(join(source, entry))
  return { files, packages }
}

it('the signer loads nothing that talks to people or nodes: no mail, no sign-in, no dashboard, no HTTP client', () => {
  const { files, packages } = loadedWith(['wire/signer.ts', 'wire/app.ts', 'wire.ts', 'wire/role-process.ts'])
  expect(files.size).toBeGreaterThan(50)
  expect(packages).not.toContain('nodemailer')
  expect(packages).not.toContain('undici')
  const foreign = [...files].filter((file) =>
    /^(app\/(people|team|mail)|outbound\/mail|http\/(routes|dashboard))\//.test(file),
  )
  // The first start creates the demo's owner, with the code that starts every role.
  expect(foreign.sort()).toEqual(['app/people/create-user.ts', 'app/people/passwords.ts'])
})

it('this test would see what the worker loads', () => {
  expect(loadedWith(['wire/worker.ts']).packages).toContain('nodemailer')
})
