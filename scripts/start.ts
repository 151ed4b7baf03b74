/** `npm start`: builds what is not built yet, then runs the service. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

// In a process of its own: what builds has no business in the one that watches over the service.
const build = spawn(process.execPath, [join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' })
const [code] = (await once(build, 'exit')) as [number | null]
// It has said why; a Ctrl-C ends it too.
if (code !== 0) process.exit(code ?? 130)
process.argv.splice(2, 0, 'start')
await import(new URL('../server/bin/sluice.mjs', import.meta.url).href)
