/**
 * Installs a Bitcoin node where the tests look for it: Bitcoin Knots, which is Bitcoin Core with more policy options.
 * Debian has it only in sid, so it is fetched with its libraries into its own folder, by an apt that shares only
 * sources and keys with the machine's. If it is not available, the script says so in one line, and the tests run with
 * litecoind instead.
 */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bitcoinCommand, bitcoinFolder } from './bitcoin-program.ts'
import { withFreshFolder } from './fresh-folder.ts'

const run = promisify(execFile)
const packageName = 'bitcoin-knots'
const suite = 'sid'
// Needed only to install it.
const unneeded = ['systemd', 'debconf']
const keyrings = ['gpg', 'pgp'].map((ending) => `/usr/share/keyrings/debian-archive-keyring.${ending}`)
const maxRunMs = 300_000

if (bitcoinCommand('bitcoind') === null) {
  console.log(`Fetching ${packageName} from Debian's ${suite}`)
  const parent = join(bitcoinFolder, '..')
  mkdirSync(parent, { recursive: true })
  try {
    // Beside its destination, so that it is there complete or not at all.
    await withFreshFolder(parent, fetchInto)
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    const [why] = (stderr || message).trim().split('\n')
    console.log(`No Bitcoin node for this machine, the tests run without it: ${why}`)
  }
}

async function fetchInto(fresh: string): Promise<void> {
  const keyring = keyrings.find(existsSync)
  if (keyring === undefined) throw new Error("Debian's keyring is missing (package debian-archive-keyring).")
  const [architecture] = (await say('dpkg', ['--print-architecture'])).split('\n')
  const sources = await debianArchives()
  if (sources.length === 0) throw new Error("apt's sources name no archive of Debian.")
  let failure: unknown
  for (const source of sources) {
    const apt = join(fresh, 'apt')
    rmSync(apt, { recursive: true, force: true })
    mkdirSync(join(apt, 'lists/partial'), { recursive: true })
    mkdirSync(join(apt, 'cache/archives/partial'), { recursive: true })
    writeFileSync(
      join(apt, 'sources.list'),
      `deb [arch=${architecture} target=Packages signed-by=${keyring}] ${source} ${suite} main\n`,
    )
    writeFileSync(join(apt, 'status'), unneeded.map((name) => installed(name, architecture ?? '')).join('\n'))
    writeFileSync(join(apt, 'apt.conf'), configuration(apt))
    const env = { ...process.env, LC_ALL: 'C', APT_CONFIG: join(apt, 'apt.conf') }
    try {
      await say('apt-get', ['update', '-qq', '--error-on=any'], env)
      await say('apt-get', ['install', '-qq', '-y', '--download-only', packageName], env)
    } catch (error) {
      failure = error
      continue
    }
    return unpack(join(apt, 'cache/archives'), fresh)
  }
  throw failure
}

/** The Debian archives that this machine uses. */
async function debianArchives(): Promise<string[]> {
  const release = readFileSync('/etc/os-release', 'utf8')
  const [, codename = ''] = /^VERSION_CODENAME=(\w+)$/m.exec(release) ?? []
  const named = (await say('apt-get', ['update', '--print-uris'])).matchAll(
    /^'(.+)\/dists\/([^/']+)\/InRelease'/gm,
  )
  return [...new Set([...named].filter(([, , of]) => of === codename).map(([, address = '']) => address))]
}

function installed(name: string, architecture: string): string {
  return `Package: ${name}\nStatus: install ok installed\nVersion: 999999\nArchitecture: ${architecture}\nMaintainer: nobody\nDescription: not needed\n`
}

function configuration(apt: string): string {
  return `Dir::Etc::sourcelist "${apt}/sources.list";
Dir::Etc::sourceparts "-";
Dir::Etc::preferences "-";
Dir::Etc::preferencesparts "-";
Dir::State "${apt}";
Dir::State::lists "${apt}/lists";
Dir::State::status "${apt}/status";
Dir::Cache "${apt}/cache";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
APT::Install-Recommends "false";
APT::Sandbox::User "root";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Install-Pkgs;
`
}

/** Unpacks the downloaded packages, checks that the node runs here, and moves it to its destination. */
async function unpack(archives: string, fresh: string): Promise<void> {
  const root = join(fresh, 'root')
  for (const name of readdirSync(archives))
    if (name.endsWith('.deb')) await say('dpkg', ['--extract', join(archives, name), root])
  rmSync(join(root, 'usr/share'), { recursive: true, force: true })
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

async function say(file: string, args: readonly string[], env = process.env): Promise<string> {
  return (await run(file, args, { env, timeout: maxRunMs })).stdout
}
