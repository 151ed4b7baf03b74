#!/usr/bin/env node
// Plain JavaScript, so that an old Node can read it and say what is wrong.
const needed = 24
const [major] = process.versions.node.split('.').map(Number)
if (major < needed) {
  console.error(
    `Sluice needs Node ${needed}, this is ${process.version}. Start it through npm, which uses the Node that ` +
      '`npm ci` installed beside it: `npm start`, or `npx sluice …` in the project folder.',
  )
  process.exit(1)
}
const { main } = await import('../src/wire.ts')
await main(process.argv)
