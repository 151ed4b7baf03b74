import { expect, it } from 'vitest'
import { createAddressProofs, type StoredAddress } from '../../src/app/addresses/address-proofs.ts'
import { unprovedKeys } from '../../src/app/addresses/published-keys.ts'
import { createProver } from '../../src/domain/address-proofs.ts'

const key = Buffer.alloc(32, 1)
const prover = createProver(key)
const address: StoredAddress = {
  keychain: 'bitcoin-live',
  position: 7,
  address: 'ours 7',
  tag: null,
  proof: null,
}

/** Proofs of a process that can derive the addresses of `bitcoin-live` itself, and of no other keychain. */
function proofsWith(made: ReturnType<typeof createProver> | null) {
  const refused: string[] = []
  const proofs = createAddressProofs({
    prover: made,
    derive: (keychain, position) =>
      keychain === 'bitcoin-live' ? { address: `ours ${position}`, tag: null } : null,
    now: () => new Date(0),
    onRefused: ({ position }, verdict) => refused.push(`${position} ${verdict}`),
  })
  return { proofs, refused }
}

it('a proof holds for its keychain, position, address and tag alone, and for no other key', () => {
  const proof = prover.ofAddress(address)
  expect(proof).toMatch(/^[\w-]{22}$/)
  const others = [
    { ...address, keychain: 'bitcoin-test' },
    { ...address, position: 8 },
    { ...address, address: 'thief' },
    { ...address, tag: '1' },
    // Fields cannot be shifted into each other.
    { ...address, keychain: 'bitcoin-live7', position: 0 },
  ]
  for (const other of others) expect(prover.ofAddress(other)).not.toBe(proof)
  expect(createProver(Buffer.alloc(32, 2)).ofAddress(address)).not.toBe(proof)
  expect(prover.ofAddress({ ...address, position: 7n })).toBe(proof)
})

it('a proof that was checked before is not computed again, and still holds for nothing else', () => {
  let computed = 0
  const counting = {
    ...prover,
    ofAddress(each: Parameters<typeof prover.ofAddress>[0]) {
      computed++
      return prover.ofAddress(each)
    },
  }
  const { proofs } = proofsWith(counting)
  const proved = { ...address, proof: prover.ofAddress(address) }
  for (let asked = 0; asked < 10; asked++)
    expect(proofs.judge({ ...proved, position: asked % 2 === 0 ? 7 : 7n })).toBe('ours')
  expect(computed).toBe(1)
  expect(proofs.judge({ ...proved, address: 'thief' })).toBe('foreign')
  expect(proofs.judge({ ...proved, tag: '1' })).toBe('foreign')
  expect(proofs.judge({ ...proved, position: 8 })).toBe('foreign')
  expect(proofs.judge({ ...proved, keychain: 'solana-test' })).toBe('unproved')
  expect(proofs.judge(proved)).toBe('ours')
})

it('without a valid proof, what the process can derive decides', () => {
  const { proofs, refused } = proofsWith(createProver(Buffer.alloc(32, 2)))
  // The secret key was changed since, or the row is older than proofs.
  expect(proofs.isOurs({ ...address, proof: prover.ofAddress(address) })).toBe(true)
  expect(proofs.isOurs(address)).toBe(true)
  expect(proofs.alarm('bitcoin-live')).toBeNull()
  const foreign = { ...address, address: 'thief' }
  expect(proofs.isOurs(foreign)).toBe(false)
  expect(proofs.isOurs(foreign)).toBe(false)
  expect(proofs.alarm('bitcoin-live')).toMatchObject({
    since: new Date(0),
    reason: expect.stringContaining('thief'),
  })
  expect(refused).toEqual(['7 foreign'])
})

it('a position that no keychain has is foreign, and nothing is derived there', () => {
  const { proofs, refused } = proofsWith(prover)
  for (const position of [2 ** 31, 2n ** 62n, -1]) expect(proofs.isOurs({ ...address, position })).toBe(false)
  expect(refused).toEqual(['2147483648 foreign', '4611686018427387904 foreign', '-1 foreign'])
})

it('an address that only the signer can derive is refused without its proof, and its network goes on', () => {
  const { proofs, refused } = proofsWith(prover)
  const solana = { ...address, keychain: 'solana-live' }
  expect(proofs.isOurs({ ...solana, proof: proofs.prove(solana) })).toBe(true)
  expect(proofs.isOurs(solana)).toBe(false)
  expect(proofs.isOurs({ ...solana, position: 8, proof: proofs.prove(solana) })).toBe(false)
  expect(refused).toEqual(['7 unproved', '8 unproved'])
  expect(proofs.alarm('solana-live')).toBeNull()
})

it('a process without a secret key proves nothing and accepts every address', () => {
  const { proofs } = proofsWith(null)
  expect(proofs.prove(address)).toBeNull()
  expect(proofs.isOurs({ ...address, address: 'thief' })).toBe(true)
})

it('a published key needs a proof of its own: not another network’s, wallet’s or environment’s', () => {
  const keys = { bitcoin: 'xpub one', litecoin: 'xpub two' }
  const proofOf = (network: 'bitcoin' | 'litecoin', publicKey = keys[network]) =>
    prover.ofKey({ environment: 'live', wallet: 'w', network, publicKey })
  const proofs = { bitcoin: proofOf('bitcoin'), litecoin: proofOf('litecoin') }
  expect(unprovedKeys(prover, 'live', { wallet: 'w', keys, proofs })).toEqual([])
  expect(unprovedKeys(prover, 'test', { wallet: 'w', keys, proofs })).toEqual(['bitcoin', 'litecoin'])
  expect(unprovedKeys(prover, 'live', { wallet: 'v', keys, proofs })).toEqual(['bitcoin', 'litecoin'])
  const swapped = { bitcoin: proofs.litecoin, litecoin: null }
  expect(unprovedKeys(prover, 'live', { wallet: 'w', keys, proofs: swapped })).toEqual([
    'bitcoin',
    'litecoin',
  ])
  const stolen = { ...keys, bitcoin: 'xpub thief' }
  expect(unprovedKeys(prover, 'live', { wallet: 'w', keys: stolen, proofs })).toEqual(['bitcoin'])
})
