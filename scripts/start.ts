/** `npm start`: builds what is not built yet, then runs the service. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

// In processes of their own: what builds has no business in the one that watches over the service.
const builds = ['build-web.ts', 'build-server.ts'].map((name) =>
  spawn(process.execPath, [join(import.meta.dirname, name)], { stdio: 'inherit' }),
)
const codes = await Promise.all(builds.map(async (build) => (await once(build, 'exit'))[0] as number | null))
// It has said why; a Ctrl-C ends it too.
if (codes.some((code) => code !== 0)) process.exit(1)
process.argv.splice(2, 0, 'start')
await import(new URL('../server/bin/sluice.mjs', import.meta.url).href)
