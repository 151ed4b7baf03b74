import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isBuilt } from './built.mjs'

/** The command's program: as it was built or, where that is not what the sources say, the sources. */
export async function loadMain() {
  // Compiled code is kept where only those write who also write the code. The processes of the service do not use it.
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/sluice', import.meta.url)))
  const { main } = await (isBuilt() ? import('../dist/sluice.js') : import('../src/wire/main.ts'))
  return main
}
