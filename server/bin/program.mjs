import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isBuilt } from './built.mjs'
import './no-inspector.mjs'

/** The command's `main`: from the bundle, or from the sources if the bundle is out of date. */
export async function loadMain() {
  // The compile cache is in a folder that only those who can write the code can write. The service's processes do not
  // use it.
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/sluice', import.meta.url)))
  const { main } = await (isBuilt() ? import('../dist/sluice.js') : import('../src/wire/main.ts'))
  return main
}
