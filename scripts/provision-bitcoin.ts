/**
 * Installs a Bitcoin node where the tests look for it: Bitcoin Knots, which is Bitcoin Core with more policy options.
 * Debian has it only in sid, so it is fetched with its libraries into its own folder. If it is not available, the script
 * says so in one line, and the tests run with litecoind instead.
 */
import { chmodSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { bitcoinCommand, bitcoinFolder } from './bitcoin-program.ts'
import { fetchDebianPackages, reasonOf, say } from './debian-packages.ts'
import { withFreshFolder } from './fresh-folder.ts'

const packageName = 'bitcoin-knots'
const suite = 'sid'
// Needed only to install it.
const unneeded = ['systemd', 'debconf']

if (bitcoinCommand('bitcoind') === null) {
  console.log(`Fetching ${packageName} from Debian's ${suite}`)
  const parent = join(bitcoinFolder, '..')
  mkdirSync(parent, { recursive: true })
  try {
    // Beside its destination, so that it is there complete or not at all.
    await withFreshFolder(parent, fetchInto)
  } catch (error) {
    console.log(`No Bitcoin node for this machine, the tests run without it: ${reasonOf(error)}`)
  }
}

/** Fetches the node, checks that it runs here, and moves it to its destination. */
async function fetchInto(fresh: string): Promise<void> {
  const root = await fetchDebianPackages({ suite, names: [packageName], unneeded }, fresh)
  const [file, ...args] = bitcoinCommand('bitcoind', root) ?? []
  if (file === undefined) throw new Error(`The packages for ${packageName} contain no loader.`)
  console.log((await say(file, [...args, '--version'])).split('\n')[0])
  chmodSync(root, 0o755)
  try {
    renameSync(root, bitcoinFolder)
  } catch (error) {
    // Another process was faster.
    if (bitcoinCommand('bitcoind') === null) throw error
  }
}
