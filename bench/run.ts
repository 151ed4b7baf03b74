/** Runs every benchmark, or those named, and prints one ratio a line against a raw baseline of the same run. */
const all = { http: () => import('./http/bench.ts') }

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in all))
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${Object.keys(all).join(', ')}`)
  process.exit(1)
}

for (const [name, load] of Object.entries(all)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const { run } = await load()
  for (const [what, { ours, baseline, ratio }] of Object.entries(await run())) {
    console.log(`${what}: ${ratio.toFixed(2)} (${ours.toFixed(0)}/s against ${baseline.toFixed(0)}/s)`)
  }
}
