import { parseArgs } from 'node:util'
import { shown } from './measure.ts'

/**
 * Runs every benchmark, or those named, and prints one ratio per line with the raw baseline of the same run. `--invoices` says
 * how many `scale` makes; without it, ten million, which takes an hour and 45 GB of disk. `--keep` names a folder in which its
 * databases stay, so that the next run measures them again without filling. `--quick` runs `sustained` alone, for seconds
 * instead of minutes, to see what a change does; `--write` writes its table into `docs/performance.md`.
 */
const all = {
  sustained: () => import('./sustained/bench.ts'),
  http: () => import('./http/bench.ts'),
  'create-invoice': () => import('./create-invoice/bench.ts'),
  'get-invoice': () => import('./get-invoice/bench.ts'),
  cost: () => import('./cost/bench.ts'),
  scale: () => import('./scale/bench.ts'),
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

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: {
    invoices: { type: 'string' },
    keep: { type: 'string' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const unknown = wanted.filter((name) => !(name in all))
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${Object.keys(all).join(', ')}`)
  process.exit(1)
}

for (const [name, load] of Object.entries(all)) {
  // Only by its name: it needs a disk that not every machine has.
  const isUsual = values.quick ? name === 'sustained' : name !== 'scale'
  if (wanted.length > 0 ? !wanted.includes(name) : !isUsual) continue
  const { run } = await load()
  const options = {
    ...(values.invoices === undefined ? {} : { invoices: Number(values.invoices) }),
    ...(values.keep === undefined ? {} : { keep: values.keep }),
    quick: values.quick,
    write: values.write,
  }
  for (const [what, { ours, baseline, ratio, unit = '/s' }] of Object.entries(await run(options))) {
    console.log(`${what}: ${ratio.toFixed(2)} (${shown(ours, unit)} against ${shown(baseline, unit)})`)
  }
}
