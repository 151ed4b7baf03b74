import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sluice } from '../../sdk/src/client.ts'
import { readSettings } from '../../server/src/settings/settings.ts'
import { readDemo } from '../../server/src/wire/demo-file.ts'
import { startSluice } from '../../server/test/support/processes/sluice-process.ts'
import { makeTemporaryFolder } from '../../server/test/support/processes/temporary-folder.ts'
import { buildPages } from '../build-web.ts'
import { patientClient } from '../demo-data/client.ts'
import { addPeople } from '../demo-data/people.ts'
import { playWeeks } from '../demo-data/play-weeks.ts'

// The same pictures from the same code: only times and identifiers differ.
const plan = { invoices: 140, weeks: 4, seed: 7 }

/** A running service with weeks of business, and its owner's login. */
export type PicturedShop = {
  readonly url: string
  readonly sluice: Sluice
  readonly merchantId: string
  readonly owner: { readonly email: string; readonly password: string }
  close(): Promise<void>
}

/** Starts it on a free port with a data folder of its own, which is deleted at the end. */
export async function openShop(say: (line: string) => void): Promise<PicturedShop> {
  if (!(await buildPages()))
    throw new Error('The pages could not be built. Run `npm ci --include=dev` first.')
  const folder = await makeTemporaryFolder('sluice-pictures-')
  const config = join(folder.path, 'pictures.json')
  await writeFile(config, JSON.stringify({ limits: { key_per_minute: 100_000, ip_per_minute: 100_000 } }))
  // Commands that add people find the service by it.
  const data = join(folder.path, 'data')
  process.env.SLUICE_DATA_DIR = data
  const service = await startSluice({
    SLUICE_DATA_DIR: data,
    SLUICE_CONFIG: config,
    // What is on its way stays so while it is pictured.
    SLUICE_SANDBOX_BLOCK_SECONDS: '0',
  })
  const close = async () => {
    await service.end('SIGTERM')
    await folder.remove()
  }
  // Ctrl+C reaches the service too.
  process.once('SIGTERM', () => close().then(() => process.exit(143)))
  try {
    const demo = await readDemo(readSettings(process.env))
    if (demo === null) throw new Error('The service started without its demo merchant.')
    const { url } = service.ready
    const sluice = patientClient(url, demo.key, say)
    await playWeeks(sluice, plan, () => {})
    await addPeople(demo.merchantId, () => {})
    return {
      url,
      sluice,
      merchantId: demo.merchantId,
      owner: { email: demo.email, password: demo.password },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
