import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HDKey } from '@scure/bip32'
import { testWalletPath } from '../../../src/signer/wallet-file.ts'

// Valid words that nothing else in the tests uses.
const words = `${'legal winner thank year wave sausage worth useful '.repeat(2)}legal winner thank year wave sausage worth title`

/**
 * Puts the same test wallet into every data folder that has none, so that a worker derives its keys once for all services.
 * Only where networks are simulated: two services with one wallet on one node would take each other's coins.
 */
export async function layWallet(dataDir: string): Promise<void> {
  const path = testWalletPath(dataDir)
  if (existsSync(path)) return
  keepDerivedKeys()
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, `${JSON.stringify({ version: 1, environment: 'test', words }, null, 2)}\n`, {
    mode: 0o600,
  })
}

const state = Symbol.for('sluice.derived')
const maxKept = 2_000

/** Keys derived from a seed do not depend on the service that asks. A worker keeps them from file to file. */
function keepDerivedKeys(): void {
  const maker = HDKey as typeof HDKey & { [state]?: Map<string, HDKey> }
  if (maker[state] !== undefined) return
  const kept = new Map<string, HDKey>()
  maker[state] = kept
  const { fromMasterSeed } = HDKey
  const { deriveChild } = HDKey.prototype
  const once = (name: string, make: () => HDKey): HDKey => {
    const key = kept.get(name) ?? make()
    if (kept.size >= maxKept) kept.clear()
    kept.set(name, key)
    return key
  }
  maker.fromMasterSeed = (seed, versions) =>
    once(`${textOf(seed)} ${versions?.public}`, () => fromMasterSeed.call(HDKey, seed, versions))
  HDKey.prototype.deriveChild = function (index) {
    const { chainCode, privateKey, versions } = this
    if (chainCode === null || privateKey === null) return deriveChild.call(this, index)
    return once(`${textOf(chainCode)} ${index} ${versions.public}`, () => deriveChild.call(this, index))
  }
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
