import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

const planted = `<script lang="ts">
  import type { Checkout } from '@sluice/web/contract'

  const { checkout }: { checkout: Checkout } = $props()
  const wrong: number = checkout.invoice_id
</script>

<p>{wrong} {checkout.no_such_field}</p>
`

// svelte-check has been seen to pass without having looked at anything.
it('the type check of the pages fails on a planted error in script and in markup', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-planted-'))
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'planted.svelte'), planted)
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'web/tsconfig.json'), include: ['planted.svelte'] }),
    )
    const args = ['--workspace', folder, '--tsconfig', './tsconfig.json', '--output', 'machine']
    const outcome = await promisify(execFile)('svelte-check', args, { cwd: root }).then(
      () => ({ code: 0, stdout: '' }),
      (error: { code: number; stdout: string }) => error,
    )
    expect(outcome.code).not.toBe(0)
    expect(outcome.stdout).toMatch(/ERROR "planted\.svelte" 5:9 .*not assignable to type 'number'/)
    expect(outcome.stdout).toMatch(/ERROR "planted\.svelte" 8:\d+ .*no_such_field/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
