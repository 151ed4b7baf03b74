import { defineConfig } from 'vitest/config'

/** The stories on the engines, which are installed only for them: `npm run test:shops`. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  ssr: { resolve: { conditions: ['@sluice/source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['shops/{medusa,vendure}/test/*.test.ts'],
    globalSetup: [
      'server/test/support/database/postgres-setup.ts',
      'server/test/support/processes/build-setup.ts',
    ],
    env: { SLUICE_TEST_POSTGRES: '18' },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
    isolate: false,
    expect: { poll: { timeout: 60_000, interval: 250 } },
  },
})
