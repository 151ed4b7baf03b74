import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { shippedNetworks } from '../src/domain/networks/shipped.ts'
import { readSettings } from '../src/settings/settings.ts'
import { coldPolicies } from '../src/wire/cold-wallets.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-cold-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const entry = {
  network: 'bitcoin',
  environment: 'live',
  destination: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  cap: '5000.00',
  currency: 'EUR',
}

function withCold(cold: readonly object[]) {
  const path = join(folder, 'config.json')
  writeFileSync(path, JSON.stringify({ cold }))
  return readSettings({ SLUICE_CONFIG: path }, shippedNetworks)
}

it('a cold wallet keeps half of its cap hot unless the operator says otherwise', () => {
  const [policy] = coldPolicies(withCold([entry])).values()
  expect(policy).toMatchObject({ capValue: 500_000n, keepValue: 250_000n, currency: 'EUR', minorDigits: 2 })
  const [other] = coldPolicies(withCold([{ ...entry, currency: 'JPY', cap: '9', keep: '1' }])).values()
  expect(other).toMatchObject({ capValue: 9n, keepValue: 1n, minorDigits: 0 })
})

it.each<[string, readonly object[], string]>([
  ['a network that is not known', [{ ...entry, network: 'nowhere' }], '/cold/0/network'],
  ['no environment', [{ ...entry, environment: undefined }], "must have required property 'environment'"],
  ['a crypto currency', [{ ...entry, currency: 'BTC' }], '/cold/0 currency must be a fiat currency'],
  ['a cap with too many digits', [{ ...entry, cap: '1.001' }], 'up to 2 places'],
  ['a cap of nothing', [{ ...entry, cap: '0' }], 'cap must be above 0'],
  ['keep at the cap', [{ ...entry, keep: '5000' }], 'keep must be below cap'],
  ['two for one network', [entry, entry], '/cold/1 is a second cold wallet of bitcoin-live'],
  ['an unknown member', [{ ...entry, limit: '1' }], '/cold/0/limit is unknown'],
])('%s is refused', (_, cold, words) => {
  expect(() => withCold(cold)).toThrow(words)
})

it('a destination of another network is refused with the gate that it is for', () => {
  const settings = withCold([{ ...entry, environment: 'test' }])
  expect(() => coldPolicies(settings)).toThrow(
    /cold wallet of bitcoin-test\. It is neither an address of this chain nor an extended public key \(vpub, tpub\)/,
  )
})
