import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const keyrings = ['gpg', 'pgp'].map((ending) => `/usr/share/keyrings/debian-archive-keyring.${ending}`)
const maxRunMs = 300_000

/** Packages of a suite of Debian, with all that they depend on. */
export type DebianPackages = {
  readonly suite: string
  readonly names: readonly string[]
  /** What they depend on, but do not need to run. */
  readonly unneeded: readonly string[]
  /** Whether `usr/share` stays. Of most packages it is documentation. */
  readonly keepsShare?: boolean
}

/**
 * Fetches packages and unpacks them into a folder of `fresh`, which it returns. The apt that does so shares only sources
 * and keys with the machine's, which is not touched. Rejects if they are not available.
 */
export async function fetchDebianPackages(wanted: DebianPackages, fresh: string): Promise<string> {
  const keyring = keyrings.find(existsSync)
  if (keyring === undefined) throw new Error("Debian's keyring is missing (package debian-archive-keyring).")
  const [architecture = ''] = (await say('dpkg', ['--print-architecture'])).split('\n')
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
      `deb [arch=${architecture} target=Packages signed-by=${keyring}] ${source} ${wanted.suite} main\n`,
    )
    writeFileSync(
      join(apt, 'status'),
      wanted.unneeded.map((name) => installed(name, architecture)).join('\n'),
    )
    writeFileSync(join(apt, 'apt.conf'), configuration(apt))
    const env = { ...process.env, LC_ALL: 'C', APT_CONFIG: join(apt, 'apt.conf') }
    try {
      await say('apt-get', ['update', '-qq', '--error-on=any'], env)
      await say('apt-get', ['install', '-qq', '-y', '--download-only', ...wanted.names], env)
    } catch (error) {
      failure = error
      continue
    }
    return unpack(join(apt, 'cache/archives'), fresh, wanted.keepsShare === true)
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

async function unpack(archives: string, fresh: string, keepsShare: boolean): Promise<string> {
  const root = join(fresh, 'root')
  for (const name of readdirSync(archives))
    if (name.endsWith('.deb')) await say('dpkg', ['--extract', join(archives, name), root])
  if (!keepsShare) rmSync(join(root, 'usr/share'), { recursive: true, force: true })
  return root
}

/** What a program writes. */
export async function say(file: string, args: readonly string[], env = process.env): Promise<string> {
  return (await run(file, args, { env, timeout: maxRunMs })).stdout
}

/** The first line of why a program failed. */
export function reasonOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  return (stderr || message).trim().split('\n')[0] ?? ''
}
