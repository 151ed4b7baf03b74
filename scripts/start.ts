/** `npm start`: builds what is out of date, and runs the service. The pages are built while the database is created. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { forbidCoreDumps } from '../server/bin/no-core-dumps.mjs'
import { loadMain } from '../server/bin/program.mjs'

forbidCoreDumps()
const pages = build('build-web.ts')
const server = build('build-server.ts')
// The service waits for the server bundle first, and then for the database.
if (pages.pid !== undefined) setPriority(pages.pid, constants.priority.PRIORITY_BELOW_NORMAL)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    end(pages, signal)
    end(server, signal)
  })

// Listening from the beginning, because either may end first.
const [pagesEnd, serverEnd] = [endOf(pages), endOf(server)]
const code = await serverEnd
if (code === 0) {
  const main = await loadMain()
  const built = pagesEnd.then((code) => code === 0)
  const [node = '', script = '', ...args] = process.argv
  await main([node, script, 'start', ...args], built)
} else {
  // It has said why, or was told to stop.
  process.exitCode = code ?? 130
}
end(pages, 'SIGTERM')

/** In its own process: building must not disturb the process that supervises the service. */
function build(script: string): ChildProcess {
  const path = join(import.meta.dirname, script)
  const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.pipe(process.stdout)
  child.stderr.pipe(process.stderr)
  return child
}

/** Ends it without output: esbuild reports being stopped in mid-work as a crash. */
function end(child: ChildProcess, signal: NodeJS.Signals): void {
  child.stdout?.unpipe().resume()
  child.stderr?.unpipe().resume()
  child.kill(signal)
}

async function endOf(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}
