import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noPolicy } from '../../src/domain/payout-policy.ts'
import { openChainedFile } from '../../src/signer/chained-file.ts'
import { openPins, pinsPath, readPins } from '../../src/signer/passkey-pins.ts'
import { isAllowedDestination, policyInForce } from '../../src/signer/pin-book.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

let folder: TemporaryFolder
let path: string
beforeEach(async () => {
  folder = await makeTemporaryFolder()
  path = pinsPath(folder.path, 'live')
  await mkdir(dirname(path), { recursive: true })
})
afterEach(() => folder.remove())

const merchantId = randomUUID()
const [credentialId, publicKey] = [randomBytes(20), randomBytes(40)]

it('a file of an earlier version is read: its passkeys count, and its rules are a policy', async () => {
  const file = await openChainedFile(
    path,
    () => true,
    () => new Error('damaged'),
  )
  const pinned = {
    merchantId,
    userId: randomUUID(),
    credentialId: credentialId.toString('hex'),
    publicKey: publicKey.toString('hex'),
    how: 'vouched',
    at: '2026-01-01T00:00:00.000Z',
  }
  const demand = { merchantId, approval: 'passkey', approvalsRequired: 2, how: 'passkey' }
  for (const body of [
    { passkeys_of: 'live' },
    { pinned },
    { demand: { ...demand, statedAt: '2026-01-02T00:00:00.000Z' } },
  ])
    file.add({ version: 1, ...body })
  await file.save()
  await file.close()
  const book = await readPins(path, 'live')
  expect(book.find(merchantId, credentialId)).toMatchObject({ from: new Date(pinned.at), publicKey })
  expect(policyInForce(book, merchantId, new Date('2026-01-01'))).toEqual({
    ...noPolicy,
    approval: 'passkey',
    approvalsRequired: 2,
  })
  expect(book.policiesOf(merchantId).at(-1)?.statedAt).toEqual(new Date('2026-01-02'))
})

it('what is recorded is read again as it was', async () => {
  const [at, from] = [new Date('2026-03-01'), new Date('2026-03-02')]
  const policy = {
    maxPayout: 10n ** 30n,
    maxDay: null,
    onlyKnownDestinations: true,
    approvalsRequired: 2,
    coolingOffSeconds: 60,
    approval: 'passkey',
  } as const
  const place = { network: 'xrp', address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', tag: '7' }
  const pins = await openPins(path, 'live')
  pins.setPolicy({ merchantId, policy, baseCurrency: 'EUR', statedAt: at, how: 'passkey', at, from })
  pins.setDestination({ merchantId, ...place, isAllowed: true, statedAt: at, at, from })
  await pins.save()
  const kept = [pins.policiesOf(merchantId), pins.destinationOf(merchantId, place), pins.newestMs()]
  await pins.close()
  const book = await readPins(path, 'live')
  expect([book.policiesOf(merchantId), book.destinationOf(merchantId, place), book.newestMs()]).toEqual(kept)
  expect(policyInForce(book, merchantId, from)).toEqual(policy)
  expect([at, from].map((now) => isAllowedDestination(book, merchantId, place, now))).toEqual([false, true])
  expect(isAllowedDestination(book, merchantId, { ...place, tag: null }, from)).toBe(false)
})
