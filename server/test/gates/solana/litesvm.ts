import { sha256 } from '@noble/hashes/sha2.js'
import { base58, utf8 } from '@scure/base'
import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit'
import { Account, FailedTransactionMetadata, LiteSvm } from 'litesvm/dist/internal.js'
import { systemProgram } from '../../../src/gates/solana/derived-address.ts'
import type { Executor } from './executor.ts'

const advanceNonce = 4
/** Where the value begins in the data of a nonce account. */
const valueAt = 40
const nonceMark = utf8.decode('DURABLE_NONCE')

/** A machine for Solana's programs, in this process. It has no blocks: its hash changes when it is told to. */
export function startLiteSvm(): Executor {
  const machine = new LiteSvm()
  // It would refuse what it has executed before. That is for nonces to do.
  machine.setTransactionHistory(0n)

  /** Advances a nonce as the network does for a transaction that fails. litesvm charges the fee and leaves the nonce. */
  function advance(bytes: Uint8Array): void {
    const nonce = nonceIn(bytes)
    const found = nonce === null ? null : machine.getAccount(base58.decode(nonce.account))
    if (nonce === null || found === null) return
    const data = Uint8Array.from(found.data())
    data.set(durableNonce(nonce.value), valueAt)
    machine.setAccount(
      base58.decode(nonce.account),
      new Account(found.lamports(), data, found.owner(), found.executable(), found.rentEpoch()),
    )
  }

  return {
    async fund(address, units) {
      // It sends them, and the same transaction twice is the same.
      machine.expireBlockhash()
      const found = machine.airdrop(base58.decode(address), units)
      if (found === null || found instanceof FailedTransactionMetadata)
        throw new Error(`There was no money for ${address}: ${found}`)
    },
    async blockhash() {
      machine.expireBlockhash()
      return machine.latestBlockhash()
    },
    async send(bytes) {
      const found = machine.sendLegacyTransaction(bytes)
      if (!(found instanceof FailedTransactionMetadata)) return { kind: 'done' }
      // What is refused has not been executed, and so has written no logs.
      const isExecuted = found.meta().logs().length > 0
      if (isExecuted) advance(bytes)
      return { kind: isExecuted ? 'failed' : 'refused', reason: found.toString() }
    },
    async account(address) {
      const found = machine.getAccount(base58.decode(address))
      return found === null || found.lamports() === 0n
        ? null
        : { units: found.lamports(), data: found.data() }
    },
  }
}

/**
 * The value that a nonce account gets from the hash of a block. litesvm takes the transaction's, whatever it is: for one with
 * a nonce, the next value follows from the last.
 */
export function durableNonce(hash: string): Uint8Array {
  return sha256(Uint8Array.from([...nonceMark, ...base58.decode(hash)]))
}

function nonceIn(bytes: Uint8Array): { readonly account: string; readonly value: string } | null {
  const { messageBytes } = getTransactionDecoder().decode(bytes)
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (message.version !== 'legacy') return null
  const [first] = message.instructions
  if (first === undefined || message.staticAccounts[first.programAddressIndex] !== systemProgram) return null
  const account = message.staticAccounts[first.accountIndices?.[0] ?? 0]
  if (first.data?.[0] !== advanceNonce || account === undefined) return null
  return { account, value: message.lifetimeToken }
}
