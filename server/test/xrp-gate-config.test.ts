import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../src/settings/settings.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './support/processes/temporary-folder.ts'

const gate = {
  network: 'xrp',
  environment: 'test',
  kind: 'xrp',
  rpc_url: 'http://127.0.0.1:5005/hunter2',
}

const rippleUsd = {
  code: 'RLUSD',
  contract: '524C555344000000000000000000000000000000.rQhWct2fv4Vc4KRjRgMrxa8xPN9Zx9iLKV',
  decimals: 6,
}

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await makeTemporaryFolder()
})
afterAll(() => folder.remove())

async function read(more: object = {}, config: object = {}) {
  const path = join(folder.path, 'config.json')
  await writeFile(path, JSON.stringify({ ...config, gates: [{ ...gate, ...more }] }))
  return (await readSettings({ SLUICE_CONFIG: path })).config.gates[0]
}

describe('a gate on servers of the XRP Ledger', () => {
  it('follows validated ledgers of the environment’s usual network', async () => {
    const found = await read()
    expect(found).toMatchObject({
      kind: 'xrp',
      id: 'xrp-test',
      networkId: 1,
      confirmations: 1,
      confirmationTiers: [],
      agreement: 1,
      showsPending: true,
      pollSeconds: 2,
      fees: { floor: 10n, ceiling: 10_000n },
    })
    expect(found?.kind === 'xrp' && found.rpcUrls()).toEqual([gate.rpc_url])
    expect(await read({ environment: 'live' })).toMatchObject({ id: 'xrp-live', networkId: 0 })
    expect(await read({ network_id: 2 })).toMatchObject({ networkId: 2 })
    expect(await read({}, { confirmations: { xrp: 3 } })).toMatchObject({ confirmations: 3 })
  })

  it('carries no issued currency but those that it lists', async () => {
    expect(await read({ environment: 'live' })).toMatchObject({ tokens: [] })
    expect(await read({ tokens: [rippleUsd] })).toMatchObject({ tokens: [rippleUsd] })
  })

  it('never prints its URLs, which may hold passwords', async () =>
    expect(inspect(await read(), { depth: 9 })).not.toContain('hunter2'))

  it.each([
    ['the main network in the test environment', { network_id: 0 }, '/network_id must not be 0'],
    [
      'a test network in the live environment',
      { environment: 'live', network_id: 1 },
      '/network_id must be 0',
    ],
    ['another network’s kind', { network: 'solana' }, '/network must be a network of kind xrp: xrp'],
    ['confirmations', { confirmations: 3 }, '/confirmations'],
    ['a token without an issuer', { tokens: [{ ...rippleUsd, contract: 'USD' }] }, '/tokens/0/contract'],
    ['a token with other decimals', { tokens: [{ ...rippleUsd, decimals: 5 }] }, 'decimals must be 6'],
    [
      'a token with more digits than the ledger keeps',
      { tokens: [{ ...rippleUsd, code: 'TUSD', decimals: 10 }] },
      '/tokens/0/decimals must be at most 9',
    ],
    ['a floor above the ceiling', { fee_floor: 20_000 }, '/fee_floor must not be above fee_ceiling'],
    ['a fee below the ledger’s', { fee_floor: 9 }, '/fee_floor'],
    ['more agreement than servers', { agreement: 2 }, '/agreement'],
    ['no server', { rpc_url: undefined }, 'rpc_url'],
    ['no URL', { rpc_url: 'r' }, 'http://127.0.0.1:5005'],
  ])('is refused with %s', async (_, more, words) => expect(read(more)).rejects.toThrow(words))
})
