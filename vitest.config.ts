import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { patienceMs } from './server/test/support/patience.ts'

// What touches the database runs on the embedded PostgreSQL. The oldest supported one, Debian's, prepares every statement
// that was sent meanwhile, and runs the stories that depend on how statements meet: races and lists. `npm run soak` runs
// everything there.
const onPostgres = [
  'server/test/{store,flows}/**/*.test.ts',
  'server/test/simulator/chain/*.test.ts',
  'shops/test/*.test.ts',
]
const onOldestPostgres =
  process.env.SLUICE_EVERY_POSTGRES !== undefined
    ? onPostgres
    : [
        'server/test/oldest-postgres/*.test.ts',
        'server/test/store/{database,migrate,released,ledger,jobs,privileges,two-roles}.test.ts',
        'server/test/flows/*/{chain-races,lists,events-catch-up,balances-on-chain}.test.ts',
      ]
const statements = join(tmpdir(), `sluice-statements-${process.pid}`)
const rows = join(tmpdir(), `sluice-rows-${process.pid}`)
const onePostgres = 'server/test/support/database/postgres-setup.ts'
const built = 'server/test/support/processes/build-setup.ts'
const preparedData = 'server/test/support/processes/data-folder-setup.ts'
const inBrowser = ['server/test/browser/**/*.test.ts']

export default defineConfig({
  // The client by its name is its sources, so that tests need no build of it.
  ssr: { resolve: { conditions: ['@sluice/source', 'module', 'node', 'development|production'] } },
  test: {
    // Only what hangs is meant to meet them: a machine that is shared may stand still for minutes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Twice the cores of the smallest machine: a file waits two fifths of its time, for nodes, browsers and processes.
    maxWorkers: 4,
    // A worker goes on with the next file as it is: loading the service anew for each would take a fifth of all the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // How long a condition may take on a busy machine; a test that waits for one never waits longer than it must.
    expect: { poll: { timeout: patienceMs, interval: 50 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{server,sdk,clients}/test/**/*.test.ts',
            'shops/woocommerce/test/*.test.ts',
            'web/*/test/**/*.test.ts',
          ],
          exclude: [...onPostgres, ...inBrowser, 'server/test/oldest-postgres/**', 'server/test/recorded/**'],
          globalSetup: [built, preparedData],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres-18',
          include: onPostgres,
          globalSetup: [onePostgres, built],
          setupFiles: [
            'server/test/support/database/record-statements.ts',
            'server/test/support/database/record-rows.ts',
          ],
          env: { SLUICE_TEST_POSTGRES: '18', SLUICE_TEST_STATEMENTS: statements, SLUICE_TEST_ROWS: rows },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres-15',
          include: onOldestPostgres,
          // After the others, which send the statements.
          sequence: { groupOrder: 1 },
          globalSetup: [onePostgres, built],
          env: { SLUICE_TEST_POSTGRES: '15', SLUICE_TEST_STATEMENTS: statements },
        },
      },
      {
        extends: true,
        test: {
          name: 'recorded',
          include: ['server/test/recorded/*.test.ts'],
          // After the others, which record what PostgreSQL answers.
          sequence: { groupOrder: 1 },
          env: { SLUICE_TEST_ROWS: rows },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: inBrowser,
          globalSetup: [onePostgres, built, preparedData],
          env: { SLUICE_TEST_POSTGRES: '18' },
        },
      },
    ],
  },
})
