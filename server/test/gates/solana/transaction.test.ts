import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, base64 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type SolanaStep,
  type SolanaTransaction,
  signersOf,
  solanaFee,
  solanaFeeOf,
  solanaRentOf,
} from '../../../src/domain/solana-transaction.ts'
import { contentOf } from '../../../src/gates/solana/actions.ts'
import { associatedTokenAccount, nonceAccount } from '../../../src/gates/solana/derived-address.ts'
import { messageOf } from '../../../src/gates/solana/message.ts'
import { readSolanaTransaction } from '../../../src/gates/solana/read-transaction.ts'
import {
  maxTransactionBytes,
  signSolanaTransaction,
  solanaSizeOf,
  transactionOf,
} from '../../../src/gates/solana/sign-transaction.ts'
import { deposits, hot, keyOf, planOf, plans, receiver } from './plans.ts'

const mint = receiver(9)
const token = { program: 'token', mint, decimals: 6 } as const
const [first = hot, second = hot] = deposits
const paying: SolanaStep = { kind: 'transfer', from: hot, to: receiver(1), units: 5n, payoutId: null }
const tokens: SolanaStep = {
  kind: 'transfer_token',
  token,
  account: associatedTokenAccount(first.address, 'token', mint),
  from: first,
  to: hot.address,
  units: 1_000n,
  payoutId: null,
}
const sweep = planOf([
  tokens,
  { kind: 'close', program: 'token', account: tokens.account, owner: first },
  { kind: 'transfer', from: second, to: hot.address, units: 7n, payoutId: null },
])

function read(bytes: Uint8Array) {
  const found = readSolanaTransaction(bytes)
  if ('refused' in found) throw new Error(found.refused)
  return found
}

describe('a plan', () => {
  it('gives the same bytes whenever it is signed, and they say exactly what it says', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        fc.pre(solanaSizeOf(plan) <= maxTransactionBytes)
        const signed = signSolanaTransaction(plan, keyOf)
        expect(signSolanaTransaction(structuredClone(plan), keyOf)).toEqual(signed)
        const found = read(signed.bytes)
        const { kind, hash, signers, feeUnits, ...content } = found
        expect(content).toEqual(contentOf(plan))
        expect({ kind, hash, feeUnits }).toEqual({
          kind: 'solana',
          hash: signed.hash,
          feeUnits: solanaFeeOf(plan),
        })
        expect(signers.toSorted()).toEqual(
          signersOf(plan)
            .map(({ address }) => address)
            .toSorted(),
        )
        expect(signers[0]).toBe(hot.address)
        expect(solanaSizeOf(plan)).toBe(signed.bytes.length)
      }),
      { numRuns: 25 },
    )
  })

  it('has these bytes for good, because the signer must be able to make them again', () => {
    const signed = signSolanaTransaction(sweep, keyOf)
    expect(signed.hash).toMatchInlineSnapshot(
      `"xzR9v8ibNdjkkj2WdiE4JsG73rMYsULHwRSJruieWtoRmXRYmMgQyWugcE54bJE2g6ETTDSspxPHCTz1t8nqzjD"`,
    )
    expect(base64.encode(signed.bytes)).toMatchInlineSnapshot(
      `"AzBImd2Xb8Fy9ZCpltSaSOzo6wDbXoNGOUw1OaPjnwnb340dnRDjCq5WI3Vw7V63lOF4xEhAkWyxEqDyNqPlqQR+DattT8C/HkF0WZvkrlWceIq6WyJZRNbHVQ2HHkCskayLYxNH1xqeUzV3dK5jo8UksQ4rXdh2BQrxEhtD0FgNzxwnCPfpPFUsAN6UZ1EvRlsGFjvSGo0V25ApYSRQRlZnD5JA8UNwmqCqW6tkpLNTUgQrREfHGTaBf10aVUE3DwMBBQvjs+QpncOpOAuaxVrNXBjodma7/fAQw+eZKNeEZwkZxPgCms9cvL3VrEbsFH87eKPfblAi7wQR2yurZQ0ymkzU8DYnYkanW53jNJ7UKxXiMvZRj8IPX81PHWToH5vSWPcIfQseW9axtGn1fIu21XdFnvshUObH57Bh94JywxvN1MiDyW71sCH8o+Moj6TfmEhxFYSMR22zdEj5qgCdEQkz9WfMsxshoOQx3kb/w0UNIKThp1TbIeTlJimM4J6vi6YAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMGRm/lIRcy/+ytunLDm+e8jOW7xfcSayxDmzpAAAAA/RckOFqgx1tk+3jNYC+h2ZH96/drE8WO1wLqyDXp9hgGp9UXGSxWjuCKhF9z0peIzwNcMUWyGrNE2AYuqUAAAAbd9uHXZaGT2cvhRs7reawctIXtX1s3kTqM9YV+/wCpBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcGBgMECQAEBAAAAAcABQJADQMABwAJAwEAAAAAAAAACgQDCAUCCgzoAwAAAAAAAAYKAwMAAgEJBgIBAAwCAAAABwAAAAAAAAA="`,
    )
  })

  it('is not signed with a key of another address, nor by another hot wallet', () => {
    const stolen = { ...paying, from: { address: first.address, key: second.key } }
    expect(() => signSolanaTransaction(planOf([stolen]), keyOf)).toThrow(`is not the key of ${first.address}`)
    const payer = { address: first.address, key: first.key }
    expect(() => signSolanaTransaction({ ...planOf([]), payer }, keyOf)).toThrow('not our hot wallet')
  })

  it('that takes more bytes than the network accepts is refused, with its size', () => {
    const many = planOf(deposits.flatMap((from) => Array(5).fill({ ...paying, from, to: hot.address })))
    expect(solanaSizeOf(many)).toBeGreaterThan(maxTransactionBytes)
    expect(() => signSolanaTransaction(many, keyOf)).toThrow(
      `The transaction takes ${solanaSizeOf(many)} bytes, and the network accepts 1232.`,
    )
  })

  it.each<[string, SolanaTransaction, string]>([
    ['nothing', planOf([{ ...paying, units: 0n }]), 'amount must be positive'],
    ['less than nothing', planOf([{ ...paying, units: -1n }]), 'amount must be positive'],
    ['more than there can be', planOf([{ ...paying, units: 2n ** 64n }]), 'below 2^64'],
    ['itself', planOf([{ ...paying, to: hot.address }]), 'would pay itself'],
    ['a program', planOf([{ ...paying, to: '11111111111111111111111111111111' }]), 'is a program'],
    ['no address', planOf([{ ...paying, to: 'nobody' }]), 'is not an address'],
    ['with a hash of a block', planOf([paying], { kind: 'blockhash', value: mint }), 'Only the creation'],
    ['with no hash', planOf([paying], { kind: 'nonce', index: 0, value: 'x' }), 'nor a hash'],
    ['with two memos', planOf(Array(2).fill({ kind: 'memo', text: 'x' })), 'at most one memo'],
    ['with an empty memo', planOf([{ kind: 'memo', text: '' }]), 'A memo has'],
    ['with half a character', planOf([{ kind: 'memo', text: '\ud800' }]), 'A memo has'],
    ['with a new nonce account', planOf([{ kind: 'create_nonce', index: 0, units: 1n }]), 'without a nonce'],
    [
      'for thirteen owners',
      planOf(
        Array.from({ length: 12 }, (_, at) => ({
          ...paying,
          from: { ...first, address: receiver(at + 20) },
        })),
      ),
      'at most 12 signers',
    ],
    ['without computing', { ...planOf([paying]), computeLimit: 0n }, 'compute limit'],
    ['at a negative price', { ...planOf([paying]), computePrice: -1n }, 'compute price'],
  ])('that pays %s is refused', (_, plan, why) => {
    expect(() => signSolanaTransaction(plan, keyOf)).toThrow(why)
  })

  it('pays for each signature and the whole compute limit, rounded up to a lamport', () => {
    expect(solanaFee(1, 200_000n, 0n)).toBe(5_000n)
    expect(solanaFee(1, 1n, 1n)).toBe(5_001n)
    expect(solanaFee(2, 1_000_000n, 3n)).toBe(10_003n)
    expect(solanaFeeOf(sweep)).toBe(15_001n)
    const open: SolanaStep = {
      kind: 'open',
      program: 'token',
      mint,
      owner: receiver(1),
      rentUnits: 2_039_280n,
    }
    expect(solanaRentOf(planOf([open, paying, { ...open, rentUnits: 1n }]))).toBe(2_039_281n)
  })
})

describe('hostile bytes', () => {
  const signed = signSolanaTransaction(sweep, keyOf)
  const payout = signSolanaTransaction(planOf([paying]), keyOf)

  it('no changed byte goes unnoticed', () => {
    // Every byte of one with one signature, and a sample of those of one with three.
    for (const [bytes, step] of [[payout.bytes, 1] as const, [signed.bytes, 13] as const])
      for (let at = 0; at < bytes.length; at += step) {
        const changed = Uint8Array.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
        expect(readSolanaTransaction(changed), `byte ${at}`).toHaveProperty('refused')
      }
  })

  it('nothing may be missing or follow', () => {
    for (let length = 0; length < payout.bytes.length; length++)
      expect(readSolanaTransaction(payout.bytes.subarray(0, length))).toHaveProperty('refused')
    for (const more of [[0], [1], Array(64).fill(0)])
      expect(readSolanaTransaction(Uint8Array.from([...payout.bytes, ...more]))).toHaveProperty('refused')
  })

  it('any bytes are read or refused, and never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_300 }), (bytes) => {
        expect(readSolanaTransaction(bytes)).toHaveProperty('refused')
      }),
      { numRuns: 200 },
    )
    // Close to what is valid, where the decoders get furthest.
    fc.assert(
      fc.property(
        fc.nat(signed.bytes.length - 1),
        fc.uint8Array({ maxLength: 40 }),
        fc.nat(40),
        (at, put, cut) => {
          const { bytes } = signed
          const changed = Uint8Array.from([...bytes.subarray(0, at), ...put, ...bytes.subarray(at + cut)])
          if (Buffer.compare(changed, bytes) !== 0)
            expect(readSolanaTransaction(changed)).toHaveProperty('refused')
        },
      ),
      { numRuns: 300 },
    )
  })

  it('a signature is not valid for another message, and cannot be given another form', () => {
    const other = signSolanaTransaction(planOf([paying]), keyOf)
    const mixed = Uint8Array.from(signSolanaTransaction(planOf([{ ...paying, units: 6n }]), keyOf).bytes)
    mixed.set(other.bytes.subarray(1, 65), 1)
    expect(readSolanaTransaction(mixed)).toEqual({ refused: 'A signature is missing or invalid.' })
    // S + L is the same scalar, which lax verifiers accept as a second signature of the same message.
    const twin = Uint8Array.from(other.bytes)
    const scalar = Buffer.from(twin.subarray(33, 65)).reverse().toString('hex')
    const sum = (BigInt(`0x${scalar}`) + ed25519.Point.Fn.ORDER).toString(16).padStart(64, '0')
    twin.set(Buffer.from(sum, 'hex').reverse(), 33)
    expect(readSolanaTransaction(twin)).toEqual({ refused: 'A signature is missing or invalid.' })
  })

  it('an unsigned transaction is refused', () => {
    const message = messageOf(contentOf(sweep))
    expect(readSolanaTransaction(transactionOf(message, []))).toEqual({
      refused: 'A signature is missing or invalid.',
    })
  })
})

describe('addresses of our accounts', () => {
  it('a nonce account follows from the hot wallet, for good', () => {
    expect(nonceAccount(hot.address, 0)).toMatchInlineSnapshot(
      `"EVj6NCnwL64NRoWkoGXxJPDDcskYaJVHYQYwcGevEYvW"`,
    )
    expect(new Set(Array.from({ length: 50 }, (_, index) => nonceAccount(hot.address, index))).size).toBe(50)
    const { lifetime } = read(signSolanaTransaction(sweep, keyOf).bytes)
    expect(lifetime).toMatchObject({
      account: nonceAccount(hot.address, 0),
      value: base58.encode(new Uint8Array(32).fill(7)),
    })
  })
})
