import { readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Finding, judgeDisk, judgeMode, ok, problem, warning } from '../../app/operator/judge-health.ts'
import type { Settings } from '../../settings/settings.ts'
import { walletFolder } from '../isolation.ts'

/** Checks the disk of the data folder, and who may read and write what is kept there. */
export async function checkMachine(settings: Settings, configPath: string | null): Promise<Finding[]> {
  const folder = await nearest(settings.dataDir)
  const { bavail, blocks, bsize } = await statfs(folder)
  return [
    judgeDisk(folder, bavail * bsize, blocks * bsize),
    ...(await checkPermissions(settings, configPath)),
  ]
}

async function checkPermissions(settings: Settings, configPath: string | null): Promise<Finding[]> {
  const { dataDir, walletKeyFile, walletPassphraseFile } = settings
  const found: Finding[] = []
  const judge = async (path: string, isSecret: boolean) => {
    const finding = await judged(path, isSecret)
    if (finding !== null) found.push(finding)
  }
  const wallet = walletFolder(settings)
  await judge(dataDir, false)
  await judge(wallet, true)
  const names = await readdir(wallet).catch(() => [])
  // A lock file holds nothing.
  for (const name of names) if (!/\.lock(-|$)/.test(name)) await judge(join(wallet, name), true)
  await judge(join(dataDir, 'secret-key'), true)
  for (const path of [walletKeyFile, walletPassphraseFile])
    if (path !== null) {
      if ((await stat(path).catch(() => null)) === null)
        found.push(
          problem(
            'permissions',
            `${path} cannot be read.`,
            'Put the file there, for the signer’s user alone.',
          ),
        )
      await judge(path, true)
    }
  if (configPath !== null) {
    const finding = await judged(configPath, false)
    if (finding !== null) found.push(finding)
    else if (hasCredentials(settings) && (((await stat(configPath)).mode ?? 0) & 0o004) !== 0)
      found.push(
        warning(
          'permissions',
          `Everyone on this machine may read ${configPath}, and its node URLs have passwords or keys.`,
          `Run: chmod o-r ${configPath}`,
        ),
      )
  }
  return found.length > 0
    ? found
    : [ok('permissions', 'No one else may write to the data folder or read its secrets.')]
}

/** A file that is not there, or that this user may not see, is not judged: commands may run as another user. */
async function judged(path: string, isSecret: boolean): Promise<Finding | null> {
  const found = await stat(path).catch(() => null)
  return found === null ? null : judgeMode(path, found.mode, isSecret)
}

function hasCredentials({ config }: Settings): boolean {
  return config.gates
    .flatMap((gate) => (gate.kind === 'bitcoin' ? [gate.rpcUrl()] : gate.rpcUrls()))
    .some((text) => {
      const { username, password, pathname, search } = new URL(text)
      return username + password + search !== '' || pathname.length > 1
    })
}

async function nearest(path: string): Promise<string> {
  const found = await stat(path).catch(() => null)
  return found !== null || dirname(path) === path ? path : nearest(dirname(path))
}
