import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Log } from '../log.ts'
import { hasLiveGate } from '../settings/gate-config.ts'
import { passphraseInEnvironment, type Settings, SettingsError } from '../settings/settings.ts'

const variable = 'SLUICE_WALLET_PASSPHRASE'
/** Names the file by which a passphrase gets past `leaveEnvironment`. The file exists for a moment. */
const handedOn = 'SLUICE_HANDED_ON_PASSPHRASE'

export type Taken = {
  readonly passphrase: string | undefined
  /**
   * `exposed`: this process was started with it in its environment, so `/proc/PID/environ` shows it to every program of this
   * user for as long as the process runs. `left`: it was, and was started again without it.
   */
  readonly how: 'exposed' | 'left' | 'none'
}

/** Takes the passphrase out of the environment, which processes started from here on would inherit. */
export function takePassphrase(env: NodeJS.ProcessEnv): Taken {
  const { [variable]: exposed, [handedOn]: path } = env
  delete env[variable]
  delete env[handedOn]
  if (path !== undefined) {
    const passphrase = readFileSync(path, 'utf8')
    rmSync(dirname(path), { recursive: true })
    return { passphrase, how: 'left' }
  }
  return { passphrase: exposed, how: exposed === undefined || exposed === '' ? 'none' : 'exposed' }
}

/**
 * Makes sure that no process that stays shows the passphrase. Starts this one again without it if need be: what the kernel
 * shows of an environment stays as it was when the program began. Refuses where live money is.
 */
export async function leaveEnvironment(settings: Settings, how: Taken['how'], log: Log): Promise<void> {
  if (how === 'left')
    log.warn(
      'SLUICE_WALLET_PASSPHRASE was in the environment, which other programs of this user can read. It is accepted for the test ' +
        'environment only: use SLUICE_WALLET_PASSPHRASE_FILE',
    )
  if (how !== 'exposed') return
  const { walletPath } = await import('../signer/wallet-file.ts')
  const isLive = hasLiveGate(settings.config.gates) || existsSync(walletPath(settings.dataDir, 'live'))
  if (isLive || process.execve === undefined) throw new SettingsError(passphraseInEnvironment)
  const path = join(mkdtempSync(join(tmpdir(), 'sluice-')), 'passphrase')
  writeFileSync(path, settings.walletPassphrase?.() ?? '', { mode: 0o600 })
  const { execPath, execArgv, argv, env } = process
  process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, [handedOn]: path })
}
