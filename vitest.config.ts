import { defineConfig } from 'vitest/config'
import { patienceMs } from './server/test/support/patience.ts'

// What touches the database runs on the embedded PostgreSQL. On the oldest supported one, Debian's, run the tests of the
// store, which send every statement there is, and stories that depend on how statements meet: races and lists. All of it
// runs there in `npm run soak`.
const onPostgres = ['server/test/store/**/*.test.ts', 'server/test/flows/**/*.test.ts']
const onOldestPostgres =
  process.env.SLUICE_EVERY_POSTGRES !== undefined
    ? onPostgres
    : [
        // One test of the audit sends all its statements; what else it finds is the same there, and found in `npm run soak`.
        'server/test/store/**/!(simulated-model|simulated-gates|audit|audit-spends).test.ts',
        ...['chain-races', 'lists', 'events-catch-up', 'balances-on-chain'].map(
          (name) => `server/test/flows/${name}.test.ts`,
        ),
      ]
const onePostgres = 'server/test/support/postgres-setup.ts'
const built = 'server/test/support/build-setup.ts'
const inBrowser = ['server/test/browser/**/*.test.ts']

export default defineConfig({
  test: {
    // Only what hangs is meant to meet them: a machine that is shared may stand still for minutes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // One for each core of the smallest machine. Many tests run half a dozen processes: more files at once hold each other up.
    maxWorkers: 2,
    // A worker goes on with the next file as it is: loading the service anew for each would take a fifth of all the time.
    isolate: false,
    // How long a condition may take on a busy machine; a test that waits for one never waits longer than it must.
    expect: { poll: { timeout: patienceMs, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['server/test/**/*.test.ts', 'sdk/test/**/*.test.ts', 'web/*/test/**/*.test.ts'],
          exclude: [...onPostgres, ...inBrowser],
          globalSetup: built,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres-18',
          include: onPostgres,
          globalSetup: [onePostgres, built],
          env: { SLUICE_TEST_POSTGRES: '18' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres-15',
          include: onOldestPostgres,
          globalSetup: [onePostgres, built],
          env: { SLUICE_TEST_POSTGRES: '15' },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: inBrowser,
          globalSetup: [onePostgres, built],
          env: { SLUICE_TEST_POSTGRES: '18' },
        },
      },
    ],
  },
})
