#!/usr/bin/env node
import { fileURLToPath } from 'node:url'

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
// Compiled code is kept where only those write who also write the code. The processes of the service do not use it.
const { enableCompileCache } = await import('node:module')
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/sluice', import.meta.url)))
const { isBuilt } = await import('./built.mjs')
const { main } = await (isBuilt() ? import('../dist/sluice.js') : import('../src/wire/main.ts'))
await main(process.argv)
