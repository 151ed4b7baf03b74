#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { isRightNode, runNode } from './launch.mjs'

// Plain JavaScript: any Node from 18 on reads it, and hands over to the right one.
if (isRightNode()) {
  // Compiled code is kept where only those write who also write the code. The processes of the service do not use it.
  const { enableCompileCache } = await import('node:module')
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/sluice', import.meta.url)))
  const { isBuilt } = await import('./built.mjs')
  const { main } = await (isBuilt() ? import('../dist/sluice.js') : import('../src/wire/main.ts'))
  await main(process.argv)
} else {
  runNode([fileURLToPath(import.meta.url), ...process.argv.slice(2)])
}
