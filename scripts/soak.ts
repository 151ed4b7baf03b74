/**
 * The long runs: the same tests with full counts of seeds and kills, and on every node, npm and PostgreSQL. Minutes to hours;
 * reported once, not run for every change.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const counts = {
  SLUICE_FUZZ_RUNS: '10000',
  SLUICE_PROPERTY_RUNS: '10000',
  SLUICE_KILLS: '100',
  SLUICE_WEBHOOK_EVENTS: '10000',
  SLUICE_WEBHOOK_KILLS: '20',
  SLUICE_SIGNER_KILLS: '30',
  SLUICE_HOSTILE_SEEDS: '10000',
  SLUICE_EVERY_FAULT: '1',
  SLUICE_CRASH_SEEDS: '500',
  // More than any payout has: all of them.
  SLUICE_CRASH_POINTS: '100000',
  SLUICE_REFILL_CRASH_SEEDS: '200',
  SLUICE_REFILL_CRASH_POINTS: '200',
  SLUICE_EVERY_REORGANISATION: '1',
  SLUICE_EVERY_NODE: '1',
  SLUICE_EVM_CRASH_SEEDS: '100',
  SLUICE_EVM_CRASH_POINTS: '100',
  SLUICE_BITCOIN_CRASH_SEEDS: '100',
  SLUICE_BITCOIN_CRASH_POINTS: '100',
  SLUICE_SOLANA_CRASH_SEEDS: '100',
  SLUICE_SOLANA_CRASH_POINTS: '100',
  SLUICE_CONTENTION_CONNECTIONS: '64',
  SLUICE_CONTENTION_OPERATIONS: '100000',
  SLUICE_CONTENTION_ROUNDS: '24',
  SLUICE_BLOCK_PAYMENTS: '4000',
  SLUICE_CROWD: '2000',
  SLUICE_CTRL_C: '10',
  SLUICE_FAILOVER_ROUNDS: '20',
  SLUICE_UPGRADE_ROUNDS: '10',
  SLUICE_EVERY_INSTALL: '1',
  SLUICE_EVERY_EXAMPLE: '1',
  SLUICE_WHOLE_IMAGES: '1',
  SLUICE_EVERY_POSTGRES: '1',
  SLUICE_EVERY_LOOK: '1',
  // Of the running service: minutes each.
  SLUICE_FUZZ_SEEDS: '30',
}
const simulatedSeeds = 500
const tests = [
  'server/test/domain/settlement-properties',
  'server/test/http/bodies',
  'server/test/gates/bitcoin/node-',
  'server/test/gates/evm/',
  'server/test/gates/solana/node-gate',
  'server/test/simulator/chain/simulated-gates',
  'server/test/simulator/gate/signed-bytes',
  'server/test/flows/api/fuzz',
  'server/test/flows/chains/crowded-block',
  'server/test/flows/chains/reorganisations',
  'server/test/flows/payouts/killed-payouts',
  'server/test/flows/wallets/coin-consolidation',
  'server/test/flows/wallets/cold-coins',
  'server/test/flows/wallets/killed-refills',
  'server/test/flows/nodes/',
  'server/test/flows/signer/signer-alone',
  'server/test/flows/signer/hostile-database',
  'server/test/flows/invoices/hostile-deposits',
  'server/test/flows/webhooks/webhook-isolation',
  'server/test/flows/payouts/payout-contention',
  'server/test/flows/payouts/payout-fee-raises',
  'server/test/flows/payouts/payout-node-faults',
  'server/test/flows/payouts/payout-reorganisations',
  'server/test/flows/payouts/replaced-payouts',
  'server/test/processes',
  'server/test/postgres',
  'server/test/browser/dashboard-pages',
  'server/test/browser/checkout-page',
]

console.log(
  `Soaking with ${Object.entries(counts)
    .map(([name, count]) => `${name}=${process.env[name] ?? count}`)
    .join(' ')}`,
)
const tested = await run('vitest', [
  'run',
  '--testTimeout=7200000',
  '--project=unit',
  '--project=postgres-18',
  '--project=browser',
  ...tests,
])
// Every story on the oldest supported PostgreSQL, with the counts of every day.
const onOldest = await run('vitest', ['run', '--project=postgres-15'], { SLUICE_EVERY_POSTGRES: '1' })
const simulated = await run('node', ['scripts/simulate.ts', '--seeds', String(simulatedSeeds)])
const fuzzSeeds = process.env.SLUICE_FUZZ_SEEDS ?? counts.SLUICE_FUZZ_SEEDS
const fuzzed = await run('node', ['scripts/fuzz.ts', '--seeds', fuzzSeeds, '--steps', '500', '--kills', '8'])
const shopped = await run('node', ['scripts/test-shops.ts'])
process.exitCode = tested && onOldest && simulated && fuzzed && shopped ? 0 : 1

async function run(
  program: string,
  args: readonly string[],
  env: Record<string, string> = counts,
): Promise<boolean> {
  const child = spawn(program, args, {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    env: { ...env, ...process.env },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}
