import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../src/settings/settings.ts'
import { networksWithOrbit, orbit } from './support/nodes/made-up-chain.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './support/processes/temporary-folder.ts'

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

it('every setting has a default', () => {
  expect(readSettings({})).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    publicUrl: null,
    sandboxBlockSeconds: 5,
    config: { chains: { max_reorganisation_depth: 100 } },
  })
})

describe('SLUICE_PUBLIC_URL', () => {
  it.each([
    ['https://pay.example.com', 'https://pay.example.com'],
    ['http://192.0.2.1:8080', 'http://192.0.2.1:8080'],
    ['http://[2001:db8::1]:8080', 'http://[2001:db8::1]:8080'],
    ['HTTPS://Pay.Example.com:443', 'https://pay.example.com'],
    ['  ', null],
  ])('%s is %s', (text, origin) => {
    expect(readSettings({ SLUICE_PUBLIC_URL: text }).publicUrl).toBe(origin)
  })

  it.each([
    'https://pay.example.com/',
    'https://pay.example.com/shop',
    'https://pay.example.com?x=1',
    'https://pay.example.com#x',
    'https://user:secret@pay.example.com',
    'https://pay.example.com\\x',
    'pay.example.com',
    'ftp://pay.example.com',
    'https://',
    'https://a b',
    'https://pay.example.com:99999',
  ])('%s is refused', (text) => {
    expect(() => readSettings({ SLUICE_PUBLIC_URL: text })).toThrow('SLUICE_PUBLIC_URL must look like')
  })
})

it('SLUICE_METRICS_HOST is an IP address, and this machine alone by default', () => {
  const read = (text: string) => readSettings({ SLUICE_METRICS_HOST: text })
  expect(read('')).toMatchObject({ metricsHost: '127.0.0.1', metricsRequired: false })
  expect(read('10.0.0.5')).toMatchObject({ metricsHost: '10.0.0.5', metricsRequired: true })
  expect(read('::')).toMatchObject({ metricsHost: '::' })
  for (const text of ['metrics.example.com', '10.0.0.5:9464', '10.0.0.0/8'])
    expect(() => read(text)).toThrow(`SLUICE_METRICS_HOST must be an IP address of this machine`)
})

it('SLUICE_SANDBOX_BLOCK_SECONDS is from 0 to 86,400', () => {
  const seconds = (text: string) => readSettings({ SLUICE_SANDBOX_BLOCK_SECONDS: text }).sandboxBlockSeconds
  expect(seconds('0')).toBe(0)
  expect(seconds('86400')).toBe(86_400)
  for (const text of ['-1', '86401', '1.5', 'often'])
    expect(() => seconds(text)).toThrow('SLUICE_SANDBOX_BLOCK_SECONDS must be a whole number from 0 to 86400')
})

it('chains.max_reorganisation_depth is from 1 to 1000', async () => {
  for (const depth of [1, 6, 1000])
    expect(await withConfig({ chains: { max_reorganisation_depth: depth } })).toMatchObject({
      config: { chains: { max_reorganisation_depth: depth } },
    })
  expect((await withConfig({ chains: {} })).config.chains.max_reorganisation_depth).toBe(100)
  for (const depth of [0, 1001, 1.5, '100'])
    await expect(withConfig({ chains: { max_reorganisation_depth: depth } })).rejects.toThrow(
      'SLUICE_CONFIG: /chains/max_reorganisation_depth',
    )
  await expect(withConfig({ chains: { depth: 1 } })).rejects.toThrow('/chains/depth is unknown')
})

describe('signer', () => {
  it('limits and fee ceilings are decimals that the network can represent', async () => {
    const limits = [
      { network: 'bitcoin', environment: 'live', currency: 'BTC', per_payout: '0.5', per_day: '2' },
    ]
    const fees = { max_fee: { bitcoin: '0.001' }, max_fees_per_day: { litecoin: '2' } }
    expect((await withConfig({ signer: { limits, ...fees } })).config.signer).toEqual({
      limits,
      ...fees,
      waive: [],
      weakening_delay_hours: 24,
    })
    expect((await withConfig({})).config.signer).toEqual({
      limits: [],
      max_fee: {},
      max_fees_per_day: {},
      waive: [],
      weakening_delay_hours: 24,
    })
  })

  it.each([
    [{ limits: [{ network: 'bitcoin', currency: 'LTC' }] }, '/signer/limits/0 LTC is not known on bitcoin'],
    [{ limits: [{ network: 'nowhere', currency: 'BTC' }] }, '/signer/limits/0/network'],
    [
      { limits: [{ network: 'bitcoin', currency: 'BTC', per_hour: '0.000000001' }] },
      'per_hour must be a decimal',
    ],
    [{ limits: [{ network: 'bitcoin', currency: 'BTC', per_hour: 1 }] }, '/signer/limits/0/per_hour'],
    [{ limits: [{ network: 'bitcoin', currency: 'BTC', per_week: '1' }] }, 'per_week is unknown'],
    [{ max_fee: { bitcoin: '0.000000001' } }, 'The fee ceiling of bitcoin cannot be'],
    [{ max_fee: { dogecoin: '1' } }, 'dogecoin'],
    [
      { waive: ['everything'] },
      '/signer/waive/0 must be equal to one of the allowed values (limits, passkeys)',
    ],
    [{ passkeys_required: false }, '/signer/passkeys_required is unknown'],
    [{ max_fees_per_day: { bitcoin: '0.000000001' } }, 'The fees per day of bitcoin cannot be'],
    [{ max_fees_per_day: { dogecoin: '1' } }, 'dogecoin'],
    [{ weakening_delay_hours: 169 }, '/signer/weakening_delay_hours must be <= 168'],
    [{ weakening_delay_hours: -1 }, '/signer/weakening_delay_hours must be >= 0'],
  ])('%j is refused', async (signer, words) => {
    await expect(withConfig({ signer })).rejects.toThrow(words)
  })

  // JSON numbers are not large enough for units.
  const unitsAsText = (_name: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

  it('the passphrase is kept exactly, and printed settings do not show it', () => {
    const settings = readSettings({ SLUICE_WALLET_PASSPHRASE: ' correct horse ' })
    expect(settings.walletPassphrase?.()).toBe(' correct horse ')
    expect(`${inspect(settings, { depth: 9 })} ${JSON.stringify(settings, unitsAsText)}`).not.toContain(
      'horse',
    )
  })
})

describe('gates', () => {
  const gate = {
    network: 'litecoin',
    environment: 'test',
    kind: 'bitcoin',
    rpc_url: 'http://user:hunter2@127.0.0.1:19443',
    chain: 'regtest',
    confirmations: 2,
  }
  const problemsOf = async (...gates: object[]) =>
    withConfig({ gates }).then(
      () => '',
      (error: Error) => error.message,
    )

  it('a gate on a node is read as the contract describes it, with its defaults', async () => {
    const [read] = (await withConfig({ gates: [gate] })).config.gates
    expect(read).toMatchObject({
      id: 'litecoin-test',
      network: 'litecoin',
      environment: 'test',
      chain: 'regtest',
      confirmations: 2,
      rpcCookieFile: null,
      fees: { targetBlocks: 3, floor: 2n, ceiling: 500n },
    })
    expect(read?.kind === 'bitcoin' && read.rpcUrl()).toBe(gate.rpc_url)
    expect((await withConfig({})).config.gates).toEqual([])
  })

  it('the tiers of a gate or network are read in units, and checked against the depth configured there', async () => {
    const tiers = [
      { from: '0.5', confirmations: 3 },
      { from: '10', confirmations: 12 },
    ]
    const read = [
      { fromUnits: 50_000_000n, confirmations: 3 },
      { fromUnits: 1_000_000_000n, confirmations: 12 },
    ]
    const given = { gates: [{ ...gate, confirmation_tiers: tiers }] }
    expect((await withConfig(given)).config.gates[0]?.confirmationTiers).toEqual(read)
    expect((await withConfig({ gates: [gate] })).config.gates[0]?.confirmationTiers).toBeNull()
    const ofNetwork = { confirmations: { litecoin: 3 }, confirmation_tiers: { litecoin: tiers } }
    expect((await withConfig(ofNetwork)).config.confirmation_tiers).toEqual({ litecoin: read })
    await expect(withConfig({ confirmation_tiers: { litecoin: tiers } })).rejects.toThrow(
      '/confirmation_tiers/litecoin/0/confirmations must not be fewer than the 6 that every payment needs',
    )
    await expect(withConfig({ confirmation_tiers: { nowhere: tiers } })).rejects.toThrow('is unknown')
  })

  it('coins are consolidated only if configured, as the contract describes it', async () => {
    const consolidation = async (change: object) => {
      const [read] = (await withConfig({ gates: [{ ...gate, ...change }] })).config.gates
      return read?.kind === 'bitcoin' ? read.consolidation : undefined
    }
    expect(await consolidation({})).toBeNull()
    const policy = { belowRate: 3n, coins: 50, maxInputs: 100 }
    expect(await consolidation({ consolidate: { below_rate: 3 } })).toEqual(policy)
    const consolidate = { below_rate: 3, coins: 20, max_inputs: 60 }
    expect(await consolidation({ consolidate })).toEqual({ ...policy, coins: 20, maxInputs: 60 })
  })

  it('printed settings do not show a node’s password', async () => {
    const settings = await withConfig({ gates: [gate] })
    expect(inspect(settings, { depth: 9 })).not.toContain('hunter2')
  })

  it.each([
    [{ network: 'ethereum' }, '/gates/0/network must be a network of kind bitcoin'],
    [{ network: 'nowhere' }, '/gates/0/network'],
    [{ kind: 'magic' }, '/gates/0/kind'],
    [{ chain: 'signet' }, '/gates/0/chain must be one of main, test, regtest for litecoin'],
    [{ chain: 'main' }, '/gates/0/chain must not be main in the test environment'],
    [{ environment: 'live' }, '/gates/0/chain must be main in the live environment'],
    [{ rpc_url: 'ftp://user:hunter2@127.0.0.1' }, '/gates/0/rpc_url must be like'],
    [{ rpc_url: 'http://user:hunter2 @127.0.0.1:port' }, '/gates/0/rpc_url must be like'],
    [{ rpc_url: 'http://127.0.0.1:19443' }, '/gates/0/rpc_url must contain a user and a password'],
    [{ rpc_cookie_file: '/var/lib/litecoin/.cookie' }, '/gates/0/rpc_cookie_file cannot be combined'],
    [{ confirmations: 0 }, '/gates/0/confirmations'],
    [{ fee_floor: 501 }, '/gates/0/fee_floor must not be above fee_ceiling, which is 500'],
    [{ blocks: 1 }, '/gates/0/blocks is unknown'],
    [
      { confirmation_tiers: [{ from: '5', confirmations: 1 }] },
      '/gates/0/confirmation_tiers/0/confirmations must not be fewer than the 2 that every payment needs',
    ],
    [
      { confirmation_tiers: [{ from: 5, confirmations: 3 }] },
      '/gates/0/confirmation_tiers/0/from must be string',
    ],
    [{ consolidate: {} }, "/gates/0/consolidate must have required property 'below_rate'"],
    [{ consolidate: { below_rate: 3, max_inputs: 201 } }, '/gates/0/consolidate/max_inputs must be <= 200'],
    [
      { consolidate: { below_rate: 1 } },
      '/gates/0/consolidate/below_rate must not be below fee_floor, which is 2',
    ],
    [
      { consolidate: { below_rate: 500 } },
      '/gates/0/consolidate/below_rate must be below fee_ceiling, which is 500',
    ],
    [{ chain: undefined }, "/gates/0 must have required property 'chain'"],
  ])('%j is refused, with no password in the message', async (change, words) => {
    const message = await problemsOf({ ...gate, ...change })
    expect(message).toContain(`SLUICE_CONFIG: ${words}`)
    expect(message).not.toContain('hunter2')
  })

  it('a gate’s transaction type and data fee follow from its chain, unless the operator sets them', async () => {
    const node = { environment: 'live', kind: 'evm', rpc_url: 'http://127.0.0.1:8545' }
    const read = async (more: object) => (await withConfig({ gates: [{ ...node, ...more }] })).config.gates[0]
    const usual = { transactions: 'eip1559', hasDataFee: false }
    const ethereum = { network: 'ethereum', chain_id: 1 }
    expect(await read(ethereum)).toMatchObject(usual)
    expect(await read({ network: 'base', chain_id: 8453 })).toMatchObject({ ...usual, hasDataFee: true })
    expect(await read({ network: 'optimism', chain_id: 10, data_fee: 'none' })).toMatchObject(usual)
    expect(await read({ ...ethereum, transactions: 'legacy', data_fee: 'op_stack' })).toMatchObject({
      transactions: 'legacy',
      hasDataFee: true,
    })
    expect(await problemsOf({ ...node, ...ethereum, transactions: 'eip2930' })).toContain(
      '/gates/0/transactions',
    )
  })

  const evm = {
    network: 'ethereum',
    environment: 'test',
    kind: 'evm',
    rpc_url: 'http://127.0.0.1:8545/hunter2',
    chain_id: 31_337,
    confirmations: 3,
    tokens: [{ code: 'USDT', contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 }],
  }

  it('an EVM gate may demand more confirmations for larger payments, but not together with finality', async () => {
    const tiers = [{ from: '0.5', confirmations: 6 }]
    const [read] = (await withConfig({ gates: [{ ...evm, confirmation_tiers: tiers }] })).config.gates
    expect(read?.confirmationTiers).toEqual([{ fromUnits: 5n * 10n ** 17n, confirmations: 6 }])
    const { confirmations: _, ...rest } = evm
    const final = { ...rest, finality: 'finalized' }
    expect((await withConfig({ gates: [final] })).config.gates[0]?.confirmationTiers).toEqual([])
    await expect(withConfig({ gates: [{ ...final, confirmation_tiers: tiers }] })).rejects.toThrow(
      '/gates/0/confirmation_tiers cannot be combined with finality',
    )
  })

  it('a gate on EVM nodes is read as the contract describes it, with its defaults', async () => {
    const settings = await withConfig({ gates: [evm] })
    const [read] = settings.config.gates
    expect(read).toMatchObject({
      kind: 'evm',
      id: 'ethereum-test',
      chainId: 31_337,
      confirmations: 3,
      tag: 'latest',
      agreement: 1,
      showsPending: true,
      tokens: evm.tokens,
      fees: { floor: 1n, ceiling: 500_000_000_000n },
    })
    expect(read?.kind === 'evm' && read.rpcUrls()).toEqual([evm.rpc_url])
    expect(inspect(settings, { depth: 9 })).not.toContain('hunter2')
    const { confirmations, rpc_url, ...rest } = evm
    const urls = [rpc_url, 'https://node.example/hunter3']
    const [several] = (
      await withConfig({
        gates: [
          { ...rest, rpc_urls: urls, agreement: 2, finality: 'finalized', fee_floor: '0.05', pending: false },
        ],
      })
    ).config.gates
    expect(several).toMatchObject({
      agreement: 2,
      tag: 'finalized',
      confirmations: 1,
      showsPending: false,
      fees: { floor: 50_000_000n },
    })
  })

  it('a network added to the records can run on nodes of its own chain', async () => {
    const path = join(folder.path, 'orbit.json')
    const gate = { network: 'orbit', environment: 'live', kind: 'evm', rpc_url: 'http://127.0.0.1:8545' }
    const read = async (chainId: number) => {
      await writeFile(path, JSON.stringify({ gates: [{ ...gate, chain_id: chainId }] }))
      return readSettings({ SLUICE_CONFIG: path }, networksWithOrbit)
    }
    expect((await read(orbit.live.chainId)).config.gates).toMatchObject([
      {
        id: 'orbit-live',
        chainId: orbit.live.chainId,
        pollSeconds: 1,
        fees: { floor: 1n, ceiling: 300_000_000_000n },
        hasDataFee: false,
      },
    ])
    await expect(read(1)).rejects.toThrow(`/chain_id must be ${orbit.live.chainId} for orbit`)
    expect(() => readSettings({ SLUICE_CONFIG: path })).toThrow('/gates/0/network')
  })

  it('a token outside the registry becomes a currency, and the signer’s limits may name it', async () => {
    const dai = { code: 'DAI', contract: '0x6B175474E89094C44Da98b954EedeAC495271d0F', decimals: 18 }
    const limits = [{ network: 'ethereum', currency: 'DAI', per_payout: '1.5' }]
    const { assets } = await withConfig({ gates: [{ ...evm, tokens: [dai] }], signer: { limits } })
    expect(assets.find(({ code }) => code === 'DAI')).toMatchObject({
      kind: 'token',
      assets: [{ decimals: 18, minUnits: 10n ** 16n, dustUnits: 10n ** 14n, isTestOnly: true }],
    })
    await expect(withConfig({ signer: { limits } })).rejects.toThrow('DAI is not known on ethereum')
  })

  it.each([
    [{ network: 'bitcoin' }, '/gates/0/network must be a network of kind evm'],
    [{ chain_id: 1 }, '/gates/0/chain_id must not be 1 in the test environment'],
    [{ chain_id: 137 }, '/gates/0/chain_id must not be 137 in the test environment'],
    [{ environment: 'live' }, '/gates/0/chain_id must be 1 for ethereum in the live environment'],
    [{ chain_id: undefined }, "/gates/0 must have required property 'chain_id'"],
    [{ rpc_url: undefined }, "/gates/0 must have required property 'rpc_url'"],
    [{ rpc_url: 'ws://127.0.0.1/hunter2' }, '/gates/0/rpc_url must be like'],
    [{ rpc_urls: ['http://127.0.0.1/hunter2'] }, '/gates/0/rpc_urls cannot be combined with rpc_url'],
    [{ agreement: 2 }, '/gates/0/agreement must not be above the number of nodes, which is 1'],
    [{ finality: 'finalized' }, '/gates/0/finality cannot be combined with confirmations'],
    [{ finality: 'latest' }, '/gates/0/finality'],
    [{ fee_floor: '501' }, '/gates/0/fee_floor must not be above fee_ceiling'],
    [{ fee_floor: 1 }, '/gates/0/fee_floor must be string'],
    [{ chain: 'main' }, '/gates/0/chain is unknown'],
    [{ tokens: [{ ...evm.tokens[0], decimals: 18 }] }, '/gates/0/tokens/0/decimals must be 6'],
    [{ tokens: [{ ...evm.tokens[0], code: 'USD' }] }, '/gates/0/tokens/0/code is taken by a currency'],
    [{ tokens: [{ ...evm.tokens[0], code: 'BTC' }] }, '/gates/0/tokens/0/code is taken by a currency'],
    [{ tokens: [{ ...evm.tokens[0], contract: '0x12' }] }, '/gates/0/tokens/0/contract'],
    [{ tokens: [evm.tokens[0], evm.tokens[0]] }, '/gates/0/tokens/1/code is listed twice'],
  ] as [object, string][])(
    'an EVM gate with %j is refused, with no key in the message',
    async (change, words) => {
      const message = await problemsOf({ ...evm, ...change })
      expect(message).toContain(`SLUICE_CONFIG: ${words}`)
      expect(message).not.toContain('hunter')
    },
  )

  it('every problem of every gate is reported at once', async () => {
    const message = await problemsOf(gate, { ...gate, chain: 'main', rpc_url: 'x' })
    for (const words of ['/gates/1/chain', '/gates/1/rpc_url', '/gates/1 is a second gate for litecoin-test'])
      expect(message).toContain(words)
  })

  it('with a live gate webhooks reach no private host unless the operator allows it', async () => {
    const live = { ...gate, environment: 'live', chain: 'main' }
    expect((await withConfig({ gates: [gate] })).webhookAllow).toEqual(['127.0.0.1', '::1'])
    expect((await withConfig({ gates: [live] })).webhookAllow).toEqual([])
  })
})
