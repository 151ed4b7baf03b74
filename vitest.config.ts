import { defineConfig } from 'vitest/config'

// What touches the database runs on both: the embedded PostgreSQL and the oldest supported one, Debian's. What is about
// HTTP, load or lost connections and sends the same statements as the rest runs once.
const onPostgres = ['server/test/store/**/*.test.ts', 'server/test/flows/**/*.test.ts']
const once = [
  'fuzz',
  'refusals',
  'invoice-refusals',
  'rate-limits',
  'crowded-block',
  'cut-connections',
  'address-pool',
]
const onceOnPostgres = [
  ...once,
  'webhook-isolation',
  'webhook-fairness',
  'webhook-retries',
  'sandbox-mining',
].map((name) => `server/test/flows/${name}.test.ts`)
const onePostgres = 'server/test/support/postgres-setup.ts'
const inBrowser = ['server/test/browser/**/*.test.ts']

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // How long a condition may take on a busy machine; a test that waits for one never waits longer than it must.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['server/test/**/*.test.ts', 'sdk/test/**/*.test.ts'],
          exclude: [...onPostgres, ...inBrowser],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres-18',
          include: onPostgres,
          globalSetup: onePostgres,
          env: { SLUICE_TEST_POSTGRES: '18' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres-15',
          include: onPostgres,
          exclude: onceOnPostgres,
          globalSetup: onePostgres,
          env: { SLUICE_TEST_POSTGRES: '15' },
        },
      },
      { extends: true, test: { name: 'browser', include: inBrowser } },
    ],
  },
})
