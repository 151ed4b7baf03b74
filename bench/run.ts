import { shown } from './measure.ts'

/** Runs every benchmark, or those named, and prints one ratio per line with the raw baseline of the same run. */
const all = {
  http: () => import('./http/bench.ts'),
  'create-invoice': () => import('./create-invoice/bench.ts'),
  'get-invoice': () => import('./get-invoice/bench.ts'),
  lists: () => import('./lists/bench.ts'),
  overview: () => import('./overview/bench.ts'),
  follow: () => import('./follow/bench.ts'),
  'bitcoin-follow': () => import('./bitcoin-follow/bench.ts'),
  'evm-follow': () => import('./evm-follow/bench.ts'),
  'solana-follow': () => import('./solana-follow/bench.ts'),
  memory: () => import('./memory/bench.ts'),
  webhooks: () => import('./webhooks/bench.ts'),
  payouts: () => import('./payouts/bench.ts'),
  checkout: () => import('./checkout/bench.ts'),
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in all))
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${Object.keys(all).join(', ')}`)
  process.exit(1)
}

for (const [name, load] of Object.entries(all)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const { run } = await load()
  for (const [what, { ours, baseline, ratio, unit = '/s' }] of Object.entries(await run())) {
    console.log(`${what}: ${ratio.toFixed(2)} (${shown(ours, unit)} against ${shown(baseline, unit)})`)
  }
}
