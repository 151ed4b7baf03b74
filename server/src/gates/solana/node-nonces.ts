import type { NonceCreation } from '../gate.ts'
import { type NodeRpc, resultOf } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { nonceAccountRent } from './budgets.ts'
import { nonceAccount, systemProgram } from './derived-address.ts'
import { nonceAccountBytes } from './instructions.ts'
import { askAccounts, destinationOf, type NodeAccount, readContext } from './node-accounts.ts'
import { readCount, readKey, readLamports } from './node-answers.ts'
import { readNonceAccount } from './nonce-account.ts'

// A node that asks for more is wrong or lies, and the money would be lost.
const maxRentTimes = 4n

/**
 * The values of those nonce accounts of the hot wallet that exist, by index, at finalized commitment. Something else at such
 * an address counts as nothing, and `warn` is told. SOL that someone has sent there in advance does not matter.
 */
export async function nodeNonces(
  rpc: NodeRpc,
  hotAddress: string,
  indexes: readonly number[],
  warn: (words: string) => void,
): Promise<ReadonlyMap<number, string>> {
  const addresses = indexes.map((index) => nonceAccount(hotAddress, index))
  const { accounts } = await askAccounts(rpc, addresses, 'finalized')
  const values = new Map<number, string>()
  for (const [at, index] of indexes.entries()) {
    const account = accounts[at] ?? null
    const value = nonceIn(account, hotAddress)
    if (value !== null) values.set(index, value)
    else if (account !== null && !isWallet(account))
      warn(
        `There is something at ${addresses[at]} that is not a nonce account of the hot wallet, where its nonce account ` +
          `${index} belongs. That one cannot be used.`,
      )
  }
  return values
}

function isWallet(account: NodeAccount): boolean {
  return destinationOf(account).kind === 'wallet'
}

/** The present value of a nonce account that the hot wallet may advance; null if it is none. */
export function nonceIn(account: NodeAccount | null, hotAddress: string): string | null {
  if (account === null || account.program !== systemProgram) return null
  const found = readNonceAccount(account.data)
  return found === null || found.authority !== hotAddress ? null : found.value
}

/** What creating a nonce account takes: the hash of a recent block, until which height it is accepted, and the rent. */
export async function nodeNonceCreation(rpc: NodeRpc): Promise<NonceCreation> {
  const [latest, rent] = await rpc.batch([
    ['getLatestBlockhash', { commitment: 'finalized' }],
    ['getMinimumBalanceForRentExemption', Number(nonceAccountBytes)],
  ])
  const { value } = readContext(resultOf(latest))
  const { blockhash, lastValidBlockHeight } = (value ?? {}) as Record<string, unknown>
  return {
    blockhash: readKey(blockhash, 'it has no recent block'),
    lastValidHeight: BigInt(readCount(lastValidBlockHeight, 'it does not say how long a block is recent')),
    rentUnits: readRent(resultOf(rent), nonceAccountRent),
  }
}

/** A rent, which may differ from the usual one only so much. */
export function readRent(answer: unknown, usual: bigint): bigint {
  const units = readLamports(answer)
  return units > 0n && units <= maxRentTimes * usual
    ? units
    : unbelievable(`the rent of an account is ${units} lamports`)
}
