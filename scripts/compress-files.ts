import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'

const [brotli, gz] = [promisify(brotliCompress), promisify(gzip)]
const texts = /\.(html|js|css|json|svg)$/

/** Compresses every text file of a folder to `.br` and `.gz` beside it: doing so at each start would take a second. */
export async function compressFiles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => texts.test(name))
  await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name))
      // The highest quality would save 2 % of the bytes, for more than twice the time.
      const params = { [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT, [zlib.BROTLI_PARAM_QUALITY]: 10 }
      await writeFile(join(folder, `${name}.br`), await brotli(bytes, { params }))
      await writeFile(join(folder, `${name}.gz`), await gz(bytes, { level: zlib.Z_BEST_COMPRESSION }))
    }),
  )
}
