/**
 * Fetches WordPress to where the tests look for it. Installing Debian's package would bring a web server that starts, so
 * only its files are unpacked. If it is not available, the script says so in one line, and the tests run without it.
 */
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchDebianPackages, reasonOf } from './debian-packages.ts'
import { withFreshFolder } from './fresh-folder.ts'
import { wordpressFolder, wordpressRoot } from './wordpress-program.ts'

const wanted = {
  // The release of Debian whose WordPress is the oldest that the plugin supports.
  suite: 'bookworm',
  names: ['wordpress'],
  // A web server, and what PHP and the browser need for pictures.
  unneeded: [
    'apache2',
    'libapache2-mod-php',
    'default-mysql-client',
    'php-mysql',
    'ca-certificates',
    'php-gd',
    'php-getid3',
    'libjs-cropper',
    'libjs-underscore',
  ],
  keepsShare: true,
}

if (wordpressRoot() === null) {
  console.log(`Fetching WordPress from Debian's ${wanted.suite}`)
  const parent = join(wordpressFolder, '..')
  mkdirSync(parent, { recursive: true })
  try {
    // Beside its destination, so that it is there complete or not at all.
    await withFreshFolder(parent, fetchInto)
  } catch (error) {
    console.log(`No WordPress for this machine, the tests run without it: ${reasonOf(error)}`)
  }
}

async function fetchInto(fresh: string): Promise<void> {
  const folder = await fetchDebianPackages(wanted, fresh)
  const root = wordpressRoot(folder)
  if (root === null) throw new Error('The package contains no WordPress.')
  // Debian's settings are below /etc; a test's are its own.
  writeFileSync(join(root, 'wp-config.php'), "<?php\nrequire getenv('SLUICE_TEST_CONFIG');\n")
  chmodSync(folder, 0o755)
  try {
    renameSync(folder, wordpressFolder)
  } catch (error) {
    // Another process was faster.
    if (wordpressRoot() === null) throw error
  }
}
