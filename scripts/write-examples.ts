/** Stores what the service answers today as the examples of the API's description. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { testEnvironment } from './run-tests.ts'

const { status } = spawnSync(
  'vitest',
  ['run', '--project', 'postgres-18', 'server/test/flows/api/examples'],
  {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    env: { ...testEnvironment(), SLUICE_WRITE_EXAMPLES: '1' },
  },
)
process.exitCode = status ?? 1
