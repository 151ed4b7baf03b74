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

// Each entry is a correct line, followed by lines that must not compile.
const calls: readonly (readonly [right: string, ...wrong: string[]])[] = [
  [
    'api.call(removeMember, { path: { userID } })',
    'api.call(removeMember)',
    'api.call(removeMember, { path: {} })',
  ],
  ['api.call(getTeam)', "api.call('GET /dashboard-api/merchants/{merchantID}/team')", 'api.call(getTeams)'],
  [
    "api.call(changeMember, { path: { userID }, body: { role: 'admin' } })",
    'api.call(changeMember, { path: { userID } })',
    "api.call(changeMember, { path: { memberID: userID }, body: { role: 'admin' } })",
    "api.call(changeMember, { path: { userID }, body: { role: 'king' } })",
    "api.call(changeMember, { path: { userID }, body: { role: 'admin', since: 1 } })",
  ],
  // The page's address says whose page it is; any other merchant has to be named.
  [
    'api.call(updateMerchantFees, { path: { merchantID: userID }, body: { fee_bps: 1 } })',
    'api.call(updateMerchantFees, { body: { fee_bps: 1 } })',
  ],
  [
    "api.list(callTo(listInvoices, { query: { status: 'paid', currency: null } }))",
    "api.list(callTo(listInvoices, { query: { status: 'paid', colour: 'red' } }))",
    'api.list(callTo(createInvoice, { body: {} }))',
  ],
  [
    "api.address(callTo(exportInvoices, { query: { status: 'paid' } }))",
    'api.address(callTo(exportInvoices, { query: { limit: 1 } }))',
    'api.address(callTo(signOut))',
  ],
  [
    "api.call(createRefund, { body: refund, idempotencyKey: 'k' })",
    "api.call(createPayout, { body: payout, idempotencyKey: 'k' })",
  ],
  [
    'api.call(getTeam).then(({ members }) => members[0]?.role)',
    'api.call(getTeam).then(({ people }) => people)',
    'api.call(getTeam).then(({ members }) => members[0]?.rank)',
  ],
  [
    'api.list(callTo(listInvoices)).then(({ rows }) => rows[0]?.amount_paid)',
    'api.list(callTo(listInvoices)).then(({ rows }) => rows[0]?.amount_payed)',
  ],
  [
    'inOrder<Environment>({ live: true, test: true })',
    'inOrder<Environment>({ live: true })',
    'inOrder<Environment>({ live: true, test: true, dream: true })',
  ],
]

it('the type check of the pages finds errors in script and markup, and calls with a wrong path, parameter, filter, body or answer', async () => {
  const dashboard = join(root, 'web/dashboard/src')
  const names = [
    ...['changeMember', 'createInvoice', 'createPayout', 'createRefund', 'exportInvoices', 'getTeam'],
    ...['listInvoices', 'removeMember', 'signOut', 'updateMerchantFees'],
  ]
  const head = [
    '<script lang="ts">',
    `  import { ${names.join(', ')} } from '@sluice/web/operations'`,
    "  import type { Environment, NewPayout, NewRefund } from '@sluice/web/contract'",
    `  import { callTo } from '${dashboard}/api/calls.ts'`,
    `  import type { Api } from '${dashboard}/api/client.ts'`,
    `  import { inOrder } from '${dashboard}/in-order.ts'`,
    '  type Props = { api: Api; userID: string; payout: NewPayout; refund: NewRefund }',
    '  const { api, userID, payout, refund }: Props = $props()',
  ]
  const lines = calls.flatMap(([right, ...wrong]) => [
    { text: right, isWrong: false },
    ...wrong.map((text) => ({ text, isWrong: true })),
  ])
  const source = [...head, ...lines.map(({ text }) => `  void ${text}`), '</script>', ''].join('\n')
  const { code, stdout } = await checked({ 'calls.svelte': source, 'planted.svelte': planted })
  expect(code).not.toBe(0)
  const found = [...stdout.matchAll(/ERROR "calls\.svelte" (\d+):/g)].map(([, line]) => Number(line))
  const refused = lines.filter((_, n) => found.includes(head.length + n + 1)).map(({ text }) => text)
  expect(refused).toEqual(lines.filter(({ isWrong }) => isWrong).map(({ text }) => text))
  expect(found.filter((line) => line <= head.length)).toEqual([])
  // svelte-check has been seen to pass without checking anything.
  expect(stdout).toMatch(/ERROR "planted\.svelte" 5:9 .*not assignable to type 'number'/)
  expect(stdout).toMatch(/ERROR "planted\.svelte" 8:\d+ .*no_such_field/)
})

/** The result of the type check for these components. */
async function checked(sources: Record<string, string>): Promise<{ code: number; stdout: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-planted-'))
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    for (const [name, source] of Object.entries(sources)) await writeFile(join(folder, name), source)
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'web/tsconfig.json'), include: Object.keys(sources) }),
    )
    const args = ['--workspace', folder, '--tsconfig', './tsconfig.json', '--tsgo', '--output', 'machine']
    return await promisify(execFile)('svelte-check', args, { cwd: root }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => error,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
