#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { isRightNode, runNode } from './launch.mjs'
import { forbidCoreDumps } from './no-core-dumps.mjs'

forbidCoreDumps()
// Plain JavaScript: any Node from 18 can read it, and hands over to the right one.
if (isRightNode()) {
  const { loadMain } = await import('./program.mjs')
  const main = await loadMain()
  await main(process.argv)
} else {
  runNode([fileURLToPath(import.meta.url), ...process.argv.slice(2)])
}
