import { base58, base64 } from '@scure/base'
import { GateOutageError } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { systemProgram, tokenPrograms } from './derived-address.ts'
import { readCount, readKey, readLamports } from './node-answers.ts'
import type { Commitment } from './node-blocks.ts'

/** What is at an address. An account without lamports does not exist. */
export type NodeAccount = {
  readonly units: bigint
  /** The program that it belongs to; for wallets, the system program. */
  readonly program: string
  readonly isProgram: boolean
  /** Its data, up to `maxDataBytes`. */
  readonly data: Uint8Array
}

/** Accounts at one moment. */
export type NodeAccounts = {
  readonly slot: number
  /** In the order of the addresses; null where there is none. */
  readonly accounts: readonly (NodeAccount | null)[]
}

// Nodes answer for 100 at once.
const maxAddresses = 100
// Enough to tell every kind of account apart. A program may take megabytes.
const maxDataBytes = 356

/** The accounts at these addresses, at most 100. */
export async function askAccounts(
  rpc: NodeRpc,
  addresses: readonly string[],
  commitment: Commitment,
): Promise<NodeAccounts> {
  if (addresses.length > maxAddresses) throw new RangeError(`At most ${maxAddresses} accounts at once.`)
  const dataSlice = { offset: 0, length: maxDataBytes }
  const answer = await rpc.call('getMultipleAccounts', addresses, {
    commitment,
    encoding: 'base64',
    dataSlice,
  })
  const { slot, value } = readContext(answer)
  if (!Array.isArray(value) || value.length !== addresses.length)
    return unbelievable('it does not show one account for each address')
  return { slot, accounts: value.map(readAccount) }
}

/** The value of an answer, and the slot that it is from. */
export function readContext(answer: unknown): { readonly slot: number; readonly value: unknown } {
  const { context, value } = (answer ?? {}) as { context?: { slot?: unknown } | null; value?: unknown }
  return { slot: readCount(context?.slot, 'it does not say which slot it is from'), value }
}

export function readAccount(answer: unknown): NodeAccount | null {
  if (answer === null) return null
  const { lamports, owner, executable, data } = (answer ?? {}) as Record<string, unknown>
  const units = readLamports(lamports)
  if (typeof executable !== 'boolean') return unbelievable('an account does not say whether it is a program')
  const account = {
    units,
    program: readKey(owner, 'an account belongs to no program'),
    isProgram: executable,
    data: readData(data),
  }
  return units === 0n ? null : account
}

function readData(data: unknown): Uint8Array {
  const [text, encoding] = Array.isArray(data) ? data : []
  if (typeof text !== 'string' || encoding !== 'base64') return unbelievable('an account has no data')
  try {
    return base64.decode(text)
  } catch (cause) {
    throw new GateOutageError('The node’s answer is not trusted: an account has no data.', { cause })
  }
}

/** A token account, as both token programs keep it. */
export type TokenAccount = { readonly mint: string; readonly owner: string; readonly units: bigint }

/**
 * What is at a destination. A `wallet` can be paid, and so can `nothing`: the first payment makes it a wallet. The others
 * cannot: no one could use what arrives there, or only a program could.
 */
export type Destination =
  | { readonly kind: 'wallet' | 'nothing' | 'mint' | 'program' }
  | ({ readonly kind: 'token_account' } & TokenAccount)
  /** An account that a program keeps data in. */
  | { readonly kind: 'data'; readonly program: string }

const tokenAccountBytes = 165
const mintBytes = 82
// Token-2022 appends extensions to both, after a byte that says what it is. A shared key of several signers has neither.
const kindAt = 165
const sharedKeyBytes = 355
const kinds = { mint: 1, account: 2 } as const

export function destinationOf(account: NodeAccount | null): Destination {
  if (account === null) return { kind: 'nothing' }
  const { isProgram, program, data } = account
  if (isProgram) return { kind: 'program' }
  if (program === systemProgram && data.length === 0) return { kind: 'wallet' }
  const token = tokenAccountIn(account)
  if (token !== null) return { kind: 'token_account', ...token }
  return isMint(account) ? { kind: 'mint' } : { kind: 'data', program }
}

/** The token account that is at an address; null if it is none. */
export function tokenAccountIn({ program, data }: NodeAccount): TokenAccount | null {
  const isOne =
    program === tokenPrograms.token
      ? data.length === tokenAccountBytes
      : program === tokenPrograms['token-2022'] &&
        (data.length === tokenAccountBytes || extendedKind(data) === kinds.account)
  if (!isOne) return null
  return {
    mint: base58.encode(data.subarray(0, 32)),
    owner: base58.encode(data.subarray(32, 64)),
    units: new DataView(data.buffer, data.byteOffset).getBigUint64(64, true),
  }
}

function isMint({ program, data }: NodeAccount): boolean {
  if (program !== tokenPrograms.token && program !== tokenPrograms['token-2022']) return false
  return data.length === mintBytes || extendedKind(data) === kinds.mint
}

function extendedKind(data: Uint8Array): number | undefined {
  return data.length === sharedKeyBytes ? undefined : data[kindAt]
}

/** Why funds sent to a destination would be unusable, in words; null if it can be paid. */
export function destinationFault(found: Destination): string | null {
  switch (found.kind) {
    case 'wallet':
    case 'nothing':
      return null
    case 'token_account':
      return `it is a token account, not a wallet. Use the address of its owner, ${found.owner}, whose token accounts are found by themselves`
    case 'mint':
      return 'it is the mint of a token, and what is sent there is lost'
    case 'program':
      return 'it is a program, and what is sent there is lost'
    case 'data':
      return `it is an account that the program ${found.program} keeps data in, not a wallet`
  }
}

/** What is at an address that someone wants to be paid at. */
export async function askDestination(
  rpc: NodeRpc,
  address: string,
  commitment: Commitment,
): Promise<Destination> {
  const { accounts } = await askAccounts(rpc, [address], commitment)
  return destinationOf(accounts[0] ?? null)
}
