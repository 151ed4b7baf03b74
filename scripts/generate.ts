/** Writes every generated file anew, or with --check lists those that are out of date. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Contract, clientContract } from './clients/client-operations.ts'
import { phpClient } from './clients/php-client.ts'
import { pythonClient } from './clients/python-client.ts'
import { bundleContract, contractTypes } from './contract-types.ts'
import { databaseSchema } from './database-schema.ts'
import { errorGuide } from './error-guide.ts'
import { withMirrored } from './mirror-operations.ts'
import { pageContract, pageOperations, pageValues } from './page-operations.ts'
import { sdkOperations } from './sdk-operations.ts'
import { sdkWebhookEvents } from './sdk-webhook-events.ts'

type Row = { readonly description?: unknown; readonly enum?: unknown }

const root = join(import.meta.dirname, '..')

const description = await bundleContract(root, 'openapi.yaml')
const internal = withMirrored(await bundleContract(root, 'internal.yaml'), description)
const pages = pageContract(internal, description)
const clients = clientContract(description as Contract)
const clientFiles = { ...pythonClient(clients), ...phpClient(clients) }
const files: Record<string, string> = {
  'server/src/http/contract.generated.json': `${JSON.stringify(description, null, 2)}\n`,
  'server/src/http/internal-contract.generated.json': `${JSON.stringify(internal, null, 2)}\n`,
  'web/contract.generated.ts': await contractTypes(pages),
  'web/operations.generated.ts': pageOperations(pages, description),
  'web/values.generated.ts': pageValues(pages),
  'sdk/src/contract.generated.ts': await contractTypes(description),
  'sdk/src/operations.generated.ts': sdkOperations(description),
  'sdk/src/webhooks/events.generated.ts': sdkWebhookEvents(description),
  'server/src/store/schema.sql': await databaseSchema(),
  'docs/guides/errors.md': errorGuide(errorCatalogue()),
  ...clientFiles,
}

function errorCatalogue(): { description: string; codes: readonly string[] } {
  const found = description.components?.schemas?.ErrorCode as Row | undefined
  if (found === undefined) throw new Error('The contract has no ErrorCode.')
  return { description: String(found.description), codes: found.enum as string[] }
}

const check = process.argv.includes('--check')
const stale: string[] = []
for (const [path, text] of Object.entries(files)) {
  const current = await readFile(join(root, path), 'utf8').catch(() => '')
  if (current === text) continue
  stale.push(path)
  if (check) continue
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}
// A folder of the clients holds generated files only: one that is generated no longer must go.
for (const folder of new Set(Object.keys(clientFiles).map((path) => dirname(path)))) {
  for (const name of await readdir(join(root, folder)).catch(() => [])) {
    const path = `${folder}/${name}`
    if (path in clientFiles || name === '__pycache__') continue
    stale.push(path)
    if (!check) await rm(join(root, path))
  }
}

if (check && stale.length > 0) {
  console.error(`Out of date with the contract or the migrations: ${stale.join(', ')}. Run: npm run generate`)
  process.exitCode = 1
} else {
  console.log(stale.length === 0 ? 'Generated files are up to date.' : `Written: ${stale.join(', ')}`)
}
