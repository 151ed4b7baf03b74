/**
 * The entry point of npm's scripts: `node scripts/run.mjs <file or tool> [arguments]` runs a file of the project, or an
 * installed tool, on the project's own Node. If the development tools are needed, they are installed first.
 */
import { runNode, runTool } from '../server/bin/launch.mjs'
import { ensureDevTools } from './dev-tools.mjs'

// These need only what every installation has.
const plain = ['start', 'build', 'provision-anvil', 'provision-runtimes', 'complete-lock'].map(
  (name) => `scripts/${name}.ts`,
)

const [what = '', ...args] = process.argv.slice(2)
try {
  if (!plain.includes(what)) {
    await ensureDevTools()
    // npm sets production when it leaves out the development tools, and test runners would obey it.
    delete process.env.NODE_ENV
  }
  if (/\.(ts|mjs)$/.test(what)) runNode([what, ...args])
  else runTool(what, args)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
