/**
 * The text face of the pages: Inter, one variable file with the letters of Western European languages. Every page comes
 * with its own copy, so that it loads nothing from elsewhere.
 */
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type { Plugin } from 'esbuild'

const face = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

/** Writes the font, named by its content, into a page's build among its files, and its licence. Returns the font's name. */
export async function shipFont(root: string, build: string): Promise<string> {
  const { resolve } = createRequire(join(root, 'web/package.json'))
  const bytes = await readFile(resolve(face))
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8).toUpperCase()
  const name = `inter-${hash}.woff2`
  await mkdir(join(build, 'client'), { recursive: true })
  await writeFile(join(build, 'client', name), bytes)
  // The SIL Open Font License wants to be with every copy.
  await copyFile(resolve('@fontsource-variable/inter/LICENSE'), join(build, 'inter-LICENSE.txt'))
  return name
}

/** Points styles that name the font to where the page's copy is served. */
export function fontPlugin(url: string): Plugin {
  return {
    name: 'font',
    setup(build) {
      const filter = new RegExp(`${basename(face).replaceAll('.', '\\.')}$`)
      build.onResolve({ filter }, () => ({ path: url, external: true }))
    },
  }
}
