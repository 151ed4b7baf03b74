import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

// A type check that passes on any input has happened before.
it('the type check fails on a planted error of each kind that it must find', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-planted-'))
  try {
    await writeFile(
      join(folder, 'planted.ts'),
      [
        'export const wrong: number = "text"',
        'export const maybe: string = ["a"][0]',
        'export enum NotErasable { A }',
        `import { publicData } from '${root}server/src/http/resources/public-data/routes.ts'`,
        `import type { Handlers } from '${root}server/src/http/reply.ts'`,
        'export const handlers: Handlers = publicData(null as never)',
      ].join('\n'),
    )
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        include: ['planted.ts'],
        compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
      }),
    )
    const outcome = await promisify(execFile)('tsc', ['--noEmit', '--singleThreaded', '--project', folder], {
      cwd: root,
    }).catch((error: { stdout: string }) => error)
    for (const code of ['TS2322', 'TS1294', 'TS2740|TS2739|TS2741'])
      expect(outcome.stdout).toMatch(new RegExp(code))
    expect(outcome.stdout.match(/planted\.ts\(2,14\): error TS2322/)).not.toBeNull()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
