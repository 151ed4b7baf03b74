import { defineConfig } from 'vitest/config'

// What touches the database runs on both: the embedded PostgreSQL and the oldest supported one, Debian's.
const onPostgres = ['server/test/store/**/*.test.ts', 'server/test/flows/**/*.test.ts']
const onePostgres = 'server/test/support/postgres-setup.ts'
const inBrowser = ['server/test/browser/**/*.test.ts']

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
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
          globalSetup: onePostgres,
          env: { SLUICE_TEST_POSTGRES: '15' },
        },
      },
      { extends: true, test: { name: 'browser', include: inBrowser } },
    ],
  },
})
