import type { TransferSimulation } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { readAddress, readDrops, readList, readNumber, readObject } from './node-answers.ts'
import { askUnless } from './node-rpc.ts'
import { transferGas } from './sign-plan.ts'

/** An account of the ledger, as far as it matters for paying and being paid. */
export type NodeAccount = {
  /** The sequence number of its next transaction. */
  readonly sequence: number
  readonly balance: bigint
  /** How many entries of the ledger it has to hold a reserve for, besides itself. */
  readonly owned: number
  readonly flags: number
  /** Whether it charges for transfers of the currencies that it issues. */
  readonly hasTransferFee: boolean
}

// https://xrpl.org/docs/references/protocol/ledger-data/ledger-entry-types/accountroot#accountroot-flags
export const accountFlags = {
  requireDestTag: 0x00020000,
  requireAuth: 0x00040000,
  globalFreeze: 0x00400000,
  depositAuth: 0x01000000,
  refusesTrustLines: 0x20000000,
} as const
// What a transfer takes of an issued currency, in billionths of what it delivers; left out where it is the same.
const withoutFee = 1_000_000_000

/** The account at a validated ledger, the newest one unless a number is given; null when it does not exist there. */
export async function askAccount(
  rpc: NodeRpc,
  address: string,
  height: bigint | null = null,
): Promise<NodeAccount | null> {
  const answer = await askUnless(rpc, ['actNotFound'], 'account_info', {
    account: address,
    ledger_index: height === null ? 'validated' : Number(height),
  })
  if (answer === null) return null
  const { account_data: data, validated } = readObject(answer, 'it shows no account')
  if (validated !== true) unbelievable('it shows an account in a ledger that is not validated')
  return readAccount(data, address)
}

/** The sequence numbers of an account that are taken in the open ledger, below `next`, and the fees of those in the queue. */
export type Proposed = { readonly next: number; readonly queued: ReadonlyMap<number, bigint> }

export async function askProposed(rpc: NodeRpc, address: string): Promise<Proposed | null> {
  const params = { account: address, ledger_index: 'current', queue: true }
  const answer = await askUnless(rpc, ['actNotFound'], 'account_info', params)
  if (answer === null) return null
  const { account_data: data, queue_data: queue } = readObject(answer, 'it shows no account')
  const { transactions = [] } = readObject(queue ?? {}, 'it shows no queue')
  const queued = readList(transactions, 'it shows no queue').flatMap((each): [number, bigint][] => {
    const { seq, fee } = readObject(each, 'a transaction in the queue is none')
    return seq === undefined ? [] : [[readNumber(seq, 'a sequence number'), readDrops(fee, 'a fee')]]
  })
  return { next: readAccount(data, address).sequence, queued: new Map(queued) }
}

/** What must stay in an account: for itself, and for each entry of the ledger that it owns. */
export type Reserves = { readonly base: bigint; readonly each: bigint }

export async function askReserves(rpc: NodeRpc): Promise<Reserves> {
  const answer = readObject(await rpc.call('server_state', {}), 'it says nothing about its state')
  const { validated_ledger: ledger } = readObject(answer.state, 'it says nothing about its state')
  const { reserve_base: base, reserve_inc: each } = readObject(
    ledger,
    'it does not say what accounts reserve',
  )
  return { base: BigInt(readNumber(base, 'a reserve')), each: BigInt(readNumber(each, 'a reserve')) }
}

/** What every transaction takes. */
export const usualSimulation: TransferSimulation = { gas: transferGas, isExact: true }

/** Why the ledger would refuse a payment of XRP, by the newest validated ledger; or that it costs what it always costs. */
export async function nodeSimulation(
  rpc: NodeRpc,
  payment: { from: string; to: string; tag: string | null; units: bigint },
): Promise<TransferSimulation> {
  const [reserves, sender, receiver] = await Promise.all([
    askReserves(rpc),
    askAccount(rpc, payment.from),
    askAccount(rpc, payment.to),
  ])
  const kept = reserves.base + reserves.each * BigInt(sender?.owned ?? 0)
  if (sender === null || sender.balance - kept < payment.units)
    return {
      refused: `our account must keep ${kept} drops as the ledger’s reserve, and has too little besides`,
    }
  if (receiver === null && payment.units < reserves.base)
    return {
      refused: `${payment.to} does not exist, and a payment that creates it must be ${reserves.base} drops or more`,
    }
  const refused = receiver === null ? null : receiverFault(receiver, payment.to, payment.tag)
  return refused === null ? usualSimulation : { refused }
}

/** Why an account takes no payment from us, whatever it is paid in; null when it does. */
export function receiverFault(receiver: NodeAccount | null, to: string, tag: string | null): string | null {
  if (receiver === null) return `${to} does not exist`
  if ((receiver.flags & accountFlags.requireDestTag) !== 0 && tag === null)
    return `${to} accepts only payments with a destination tag`
  // Every account takes small payments of XRP while it holds no more than the reserve; that is no reason to try.
  return (receiver.flags & accountFlags.depositAuth) !== 0
    ? `${to} accepts payments only from accounts that it has authorised`
    : null
}

function readAccount(value: unknown, address: string): NodeAccount {
  const data = readObject(value, 'it shows no account')
  if (readAddress(data.Account, 'an account') !== address) unbelievable('it shows another account')
  return {
    sequence: readNumber(data.Sequence, 'a sequence number'),
    balance: readDrops(data.Balance, 'a balance'),
    owned: readNumber(data.OwnerCount, 'a count'),
    flags: readNumber(data.Flags ?? 0, 'flags'),
    hasTransferFee: readNumber(data.TransferRate ?? 0, 'a transfer rate') > withoutFee,
  }
}
