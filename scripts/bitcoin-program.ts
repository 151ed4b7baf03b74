import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where the tests' Bitcoin node and its libraries are kept: not in `node_modules`, which `npm ci` empties. */
export const bitcoinFolder = join(import.meta.dirname, `../tmp/bitcoin-node-${process.arch}`)

/** The command that starts a program of the node; null if there is no node for this machine. */
export function bitcoinCommand(
  program: 'bitcoind' | 'bitcoin-cli',
  folder: string = bitcoinFolder,
): readonly string[] | null {
  const libraries = join(folder, 'usr/lib')
  if (!existsSync(libraries)) return null
  // Its C library is newer than the machine's, so its own loader starts it. Debian has a folder per processor for both.
  for (const processor of readdirSync(libraries)) {
    const path = join(libraries, processor)
    const loader = processor.includes('-linux-')
      ? readdirSync(path).find((name) => /^ld-linux-.*\.so\.\d+$/.test(name))
      : undefined
    if (loader !== undefined)
      return [join(path, loader), '--library-path', path, join(folder, 'usr/bin', program)]
  }
  return null
}
