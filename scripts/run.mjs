/**
 * What npm's scripts go through: `node scripts/run.mjs <file or tool> [arguments]` runs a file of the project, or an
 * installed tool, on the project's own Node.
 */
import { runNode, runTool } from '../server/bin/launch.mjs'

const [what = '', ...args] = process.argv.slice(2)
if (/\.(ts|mjs)$/.test(what)) runNode([what, ...args])
else runTool(what, args)
