import { base58, base64 } from '@scure/base'
import { nonceAccount, systemProgram } from '../../../src/gates/solana/derived-address.ts'
import type { Script } from '../../support/nodes/scripted-rpc.ts'
import { hot, receiver } from './plans.ts'
import { type Attempt, cancelling, paying, signed, sol } from './spending.ts'

export const hash = (number: number) => base58.encode(new Uint8Array(32).fill(number))
export const slot = 50
export const value = hash(7)
export const account = nonceAccount(hot.address, 0)
const lifetime = { kind: 'nonce', index: 0, value } as const
export const payout = signed(paying(lifetime, receiver(140), sol, 5_000_000n))
export const cancel = signed(cancelling(lifetime))
export const feeUnits = 5_001n

/** The data of a nonce account of the hot wallet. */
export function nonceData(held: string, authority = hot.address): Uint8Array {
  const data = new Uint8Array(80)
  data.set([1, 0, 0, 0, 1, 0, 0, 0])
  data.set(base58.decode(authority), 8)
  data.set(base58.decode(held), 40)
  return data
}

export const accountOf = (data: Uint8Array, given: object = {}) => ({
  lamports: 1_447_680,
  owner: systemProgram,
  executable: false,
  rentEpoch: 2 ** 64,
  data: [base64.encode(data), 'base64'],
  ...given,
})

/** The answer to getTransaction for one that advances our nonce account and nothing else. */
export const executed = ({ hash: signature }: Pick<Attempt, 'hash'>, given: object = {}) => ({
  slot,
  transaction: {
    signatures: [signature],
    message: {
      accountKeys: [hot.address, account, systemProgram],
      header: { numRequiredSignatures: 1 },
      recentBlockhash: value,
      instructions: [
        { programIdIndex: 2, accounts: [1, 2, 0], data: base58.encode(Uint8Array.of(4, 0, 0, 0)) },
      ],
    },
  },
  meta: {
    err: null,
    fee: Number(feeUnits),
    loadedAddresses: { writable: [], readonly: [] },
    preBalances: [1_000_000, 1_447_680, 1],
    postBalances: [994_999, 1_447_680, 1],
  },
  ...given,
})

export const inContext = (answer: unknown, at = slot + 10) => ({ context: { slot: at }, value: answer })
export const status = { slot, err: null, confirmations: null, confirmationStatus: 'finalized' }
export const shownBlock = (at: number) => ({
  ...{
    blockHeight: at,
    blockhash: hash(at),
    previousBlockhash: hash(at - 1),
    parentSlot: at - 1,
    blockTime: 1,
  },
})

/** A node on which another transaction has used the nonce. */
export const usual: Script = {
  getGenesisHash: () => hash(99),
  getSlot: () => slot + 5,
  getBlock: shownBlock,
  getSignatureStatuses: (signatures: string[]) => inContext(signatures.map(() => null)),
  getMultipleAccounts: (addresses: string[]) => inContext(addresses.map(() => accountOf(nonceData(hash(8))))),
  getSignaturesForAddress: () => [{ signature: cancel.hash, slot }],
  getTransaction: () => executed(cancel),
}

/** Knows this about every transaction. */
export const knowing = (found: unknown) => ({
  getSignatureStatuses: (signatures: string[]) => inContext(signatures.map(() => found)),
})
