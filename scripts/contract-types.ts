import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { operationsOf } from './contract-operations.ts'
import type { Description } from './mirror-operations.ts'

// The tool reports usage and checks for updates unless told not to.
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** A contract bundled into one document, which the service serves and validates with. */
export async function bundleContract(root: string, name: string): Promise<Description> {
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'openapi.json')
    await promisify(execFile)('redocly', ['bundle', join(root, 'contract', name), '--output', file], {
      cwd: root,
      env: { ...process.env, ...quiet },
    })
    return JSON.parse(await readFile(file, 'utf8')) as Description
  })
}

/** TypeScript types of every schema and operation, and one map from operation id to its types. */
export async function contractTypes(description: Description): Promise<string> {
  return inTemporaryFolder(async (folder) => {
    await createClient({
      input: description as never,
      output: { path: folder },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    })
    const types = await readFile(join(folder, 'types.gen.ts'), 'utf8')
    return `${types}\n${operationsMap(description)}`
  })
}

function operationsMap(description: Description): string {
  const rows = operationsOf(description).map(({ method, operation: { operationId, security } }) => {
    const name = operationId.charAt(0).toUpperCase() + operationId.slice(1)
    const permission = security?.[0]?.apiKey?.[0]
    return `  ${operationId}: { method: '${method}'; request: ${name}Data; responses: ${name}Responses; permission: ${permission ? `'${permission}'` : 'null'} };`
  })
  return [
    '/** Every operation of the contract by its `operationId`. */',
    'export type Operations = {',
    ...rows,
    '};',
    '',
  ].join('\n')
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-contract-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
