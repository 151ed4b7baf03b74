import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assetsOf } from '../src/gates/families.ts'
import { readSettings } from '../src/settings/settings.ts'
import { gateChains } from '../src/wire/node-gates.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './support/processes/temporary-folder.ts'
import { networkOf } from './support/shop/registry.ts'

const usdc = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
const gate = {
  network: 'solana',
  environment: 'test',
  kind: 'solana',
  rpc_url: 'http://127.0.0.1:8899/hunter2',
  cluster: 'devnet',
  tokens: [{ code: 'USDC', contract: usdc, decimals: 6 }],
}
const tiers = [{ from: '50', confirmations: 64 }]

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await makeTemporaryFolder()
})
afterAll(() => folder.remove())

async function withConfig(config: object) {
  const path = join(folder.path, 'config.json')
  await writeFile(path, JSON.stringify(config))
  return readSettings({ SLUICE_CONFIG: path })
}

const read = async (more: object = {}, config: object = {}) =>
  (await withConfig({ ...config, gates: [{ ...gate, ...more }] })).config.gates[0]

describe('a gate on Solana nodes', () => {
  it('follows final blocks, unless the operator sets a depth', async () => {
    const found = await read()
    expect(found).toMatchObject({
      kind: 'solana',
      id: 'solana-test',
      cluster: 'devnet',
      commitment: 'finalized',
      confirmations: 1,
      confirmationTiers: [],
      agreement: 1,
      showsUnfinal: true,
      pollSeconds: 2,
      tokens: gate.tokens,
      prices: { floor: 1_000n, ceiling: 10_000_000n },
    })
    expect(found?.kind === 'solana' && found.rpcUrls()).toEqual([gate.rpc_url])
    const deep = { commitment: 'confirmed', confirmations: 40, confirmationTiers: null }
    expect(await read({ confirmations: 40 })).toMatchObject(deep)
    expect(await read({}, { confirmations: { solana: 40 } })).toMatchObject(deep)
    expect(await read({ confirmations: 40, confirmation_tiers: tiers })).toMatchObject({
      confirmationTiers: [{ fromUnits: 50n * 10n ** 9n, confirmations: 64 }],
    })
  })

  it('may have several nodes, other prices, and no pending payments', async () => {
    const { rpc_url, ...rest } = gate
    const rpc_urls = [rpc_url, 'https://node.example/hunter3']
    const given = { ...rest, rpc_urls, agreement: 2, pending: false, poll_seconds: 5 }
    const settings = await withConfig({ gates: [{ ...given, fee_floor: 5, fee_ceiling: 50 }] })
    expect(settings.config.gates).toMatchObject([
      { agreement: 2, showsUnfinal: false, pollSeconds: 5, prices: { floor: 5n, ceiling: 50n } },
    ])
    expect(inspect(settings, { depth: 9 })).not.toContain('hunter')
  })

  it('has tokens outside the registry, which become currencies', async () => {
    const tokens = [{ code: 'BONK', contract: usdc, decimals: 5 }]
    const { assets } = await withConfig({ gates: [{ ...gate, tokens }] })
    expect(assets.find(({ code }) => code === 'BONK')).toMatchObject({
      assets: [{ decimals: 5, contractAddress: usdc, isTestOnly: true }],
    })
  })

  it('names the program of a token, and the gate’s own list decides', async () => {
    const pyusd = { code: 'PYUSD', contract: usdc, decimals: 6, program: 'token-2022' }
    const assetsWith = async (tokens: object[]) => {
      const { assets, config } = await withConfig({ gates: [{ ...gate, tokens }] })
      const [chain] = gateChains(assets, config.gates).values()
      return assetsOf(networkOf('solana'), 'test', assets, chain)
    }
    const program = async (tokens: object[]) =>
      (await assetsWith(tokens)).find(({ contractAddress }) => contractAddress === usdc)?.tokenProgram
    expect(await program([pyusd])).toBe('token-2022')
    expect(await program([{ ...pyusd, program: 'token' }])).toBe('token')
    expect(await program(gate.tokens)).toBeUndefined()
    expect(await program([{ ...gate.tokens[0], program: 'token-2022' }])).toBe('token-2022')
  })

  it('may list mints whose addresses differ only in the case of letters', async () => {
    const other = `${usdc.slice(0, -1)}u`
    const tokens = [...gate.tokens, { code: 'BONK', contract: other, decimals: 5 }]
    expect(await read({ tokens })).toMatchObject({ tokens })
  })

  it('whose mint is no address is refused before anything is opened', async () => {
    const tokens = [{ code: 'USDC', contract: '1111111111111111111111111111111111111111', decimals: 6 }]
    const { assets, config } = await withConfig({ gates: [{ ...gate, tokens }] })
    expect(() => gateChains(assets, config.gates)).toThrow(/contract of USDC in the gate solana-test.*mint/)
  })

  it.each([
    [{ network: 'ethereum' }, '/gates/0/network must be a network of kind solana: solana'],
    [{ cluster: undefined }, "/gates/0 must have required property 'cluster'"],
    [{ cluster: 'mainnet' }, '/gates/0/cluster must be one of mainnet-beta, devnet, testnet, localnet'],
    [{ cluster: 'mainnet-beta' }, '/gates/0/cluster must not be mainnet-beta in the test environment'],
    [{ environment: 'live' }, '/gates/0/cluster must be mainnet-beta in the live environment'],
    [
      { environment: 'live', cluster: 'localnet' },
      '/gates/0/cluster must be mainnet-beta in the live environment',
    ],
    [{ rpc_url: undefined }, "/gates/0 must have required property 'rpc_url'"],
    [{ rpc_url: 'ws://127.0.0.1/hunter2' }, '/gates/0/rpc_url must be like http://127.0.0.1:8899'],
    [{ rpc_urls: ['http://127.0.0.1/hunter2'] }, '/gates/0/rpc_urls cannot be combined with rpc_url'],
    [{ agreement: 2 }, '/gates/0/agreement must not be above the number of nodes, which is 1'],
    [{ confirmation_tiers: tiers }, '/gates/0/confirmation_tiers needs confirmations'],
    [
      { confirmations: 65, confirmation_tiers: tiers },
      '/gates/0/confirmation_tiers/0/confirmations must not be fewer than the 65',
    ],
    [{ finality: 'finalized' }, '/gates/0/finality is unknown'],
    [{ fee_floor: 10_000_001 }, '/gates/0/fee_floor must not be above fee_ceiling, which is 10000000'],
    [{ fee_ceiling: '5' }, '/gates/0/fee_ceiling must be integer'],
    [{ tokens: [{ ...gate.tokens[0], decimals: 9 }] }, '/gates/0/tokens/0/decimals must be 6'],
    [{ tokens: [{ ...gate.tokens[0], code: 'SOL' }] }, '/gates/0/tokens/0/code is taken by a currency'],
    [{ tokens: [{ ...gate.tokens[0], contract: '0x12' }] }, '/gates/0/tokens/0/contract'],
    [{ tokens: [{ ...gate.tokens[0], program: 'spl' }] }, '/gates/0/tokens/0/program'],
    [{ tokens: [gate.tokens[0], gate.tokens[0]] }, '/gates/0/tokens/1/code is listed twice'],
  ] as [object, string][])('with %j is refused, with no key in the message', async (change, words) => {
    const message = await read(change).then(
      () => 'nothing',
      (error: Error) => error.message,
    )
    expect(message).toContain(`SLUICE_CONFIG: ${words}`)
    expect(message).not.toContain('hunter')
  })
})
