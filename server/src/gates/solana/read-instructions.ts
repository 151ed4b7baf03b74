import type { Codec } from '@solana/codecs-core'
import type { TokenProgram } from '../../domain/solana-transaction.ts'
import { maxNonceIndex, type SolanaAction } from './actions.ts'
import { associatedTokenProgram, nonceSeed, systemProgram, tokenPrograms } from './derived-address.ts'
import { computeBudgetProgram, layouts, memoProgram, tags } from './instructions.ts'
import { isMalformed } from './malformed.ts'

/** An instruction of a message, with its accounts by address. */
export type FoundInstruction = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}

/** The compute limit and price that two instructions set; null if they are not exactly those two. */
export function readCompute(
  first: FoundInstruction | undefined,
  second: FoundInstruction | undefined,
): { readonly limit: bigint; readonly price: bigint } | null {
  if (first?.program !== computeBudgetProgram || second?.program !== computeBudgetProgram) return null
  const limit = decoded(layouts.computeLimit, tags.computeLimit, first.data)
  const price = decoded(layouts.computePrice, tags.computePrice, second.data)
  return limit === null || price === null ? null : { limit: BigInt(limit.limit), price: price.price }
}

/**
 * Reads what instructions do, or returns the zero-based index of the first one that we never make. It reads only what cannot be
 * derived: the caller must build the message again from the result and compare it, to know that there is nothing else in it.
 */
export function readActions(
  instructions: readonly FoundInstruction[],
): { readonly actions: readonly SolanaAction[] } | { readonly unknownAt: number } {
  const actions: SolanaAction[] = []
  for (let at = 0; at < instructions.length; at++) {
    const instruction = instructions[at] as FoundInstruction
    const creation = readNonceCreation(instructions.slice(at, at + creationSteps))
    const action = creation ?? readAction(instruction)
    if (action === null) return { unknownAt: at }
    actions.push(action)
    if (creation !== null) at += creationSteps - 1
  }
  return { actions }
}

function readAction(instruction: FoundInstruction): SolanaAction | null {
  switch (instruction.program) {
    case systemProgram:
      return readTransfer(instruction)
    case tokenPrograms.token:
      return readTokenAction('token', instruction)
    case tokenPrograms['token-2022']:
      return readTokenAction('token-2022', instruction)
    case associatedTokenProgram:
      return readOpening(instruction)
    case memoProgram:
      return readMemo(instruction)
    default:
      return null
  }
}

function readTransfer({ accounts, data }: FoundInstruction): SolanaAction | null {
  const transfer = decoded(layouts.transfer, tags.transfer, data)
  const [from, to] = accounts
  if (transfer === null || from === undefined || to === undefined) return null
  return { kind: 'transfer', from, to, units: transfer.units }
}

// It is allocated, then funded, then given its authority.
const creationSteps = 3

function readNonceCreation([first, second, third]: readonly FoundInstruction[]): SolanaAction | null {
  if (first?.program !== systemProgram || second?.program !== systemProgram) return null
  const allocation = decoded(layouts.allocateWithSeed, tags.allocateWithSeed, first.data)
  const funding = decoded(layouts.transfer, tags.transfer, second.data)
  const [account] = first.accounts
  if (allocation === null || funding === null || account === undefined || !isInitialisation(third))
    return null
  const index = Number(/[0-9]+$/.exec(allocation.seed)?.[0])
  if (!(index <= maxNonceIndex) || nonceSeed(index) !== allocation.seed) return null
  return { kind: 'create_nonce', index, account, units: funding.units }
}

function isInitialisation(instruction: FoundInstruction | undefined): boolean {
  return (
    instruction?.program === systemProgram &&
    decoded(layouts.initializeNonceAccount, tags.initializeNonceAccount, instruction.data) !== null
  )
}

function readTokenAction(program: TokenProgram, { accounts, data }: FoundInstruction): SolanaAction | null {
  const [account, second, third, fourth] = accounts
  if (account === undefined || second === undefined || third === undefined) return null
  if (decoded(layouts.closeAccount, tags.closeAccount, data) !== null)
    return { kind: 'close', program, account, owner: third }
  const transfer = decoded(layouts.transferChecked, tags.transferChecked, data)
  if (transfer === null || fourth === undefined) return null
  const { units, decimals } = transfer
  return {
    kind: 'transfer_token',
    program,
    mint: second,
    decimals,
    account,
    owner: fourth,
    toAccount: third,
    units,
  }
}

function readOpening({ accounts, data }: FoundInstruction): SolanaAction | null {
  const [, account, owner, mint, , tokenProgram] = accounts
  const program = programNames.find((name) => tokenPrograms[name] === tokenProgram)
  if (decoded(layouts.createIdempotent, tags.createIdempotent, data) === null || program === undefined)
    return null
  if (account === undefined || owner === undefined || mint === undefined) return null
  return { kind: 'open', program, mint, owner, account }
}

const programNames = Object.keys(tokenPrograms) as TokenProgram[]
const memoText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readMemo({ data }: FoundInstruction): SolanaAction | null {
  try {
    return { kind: 'memo', text: memoText.decode(data) }
  } catch (error) {
    // The error for bytes that are not UTF-8.
    if (error instanceof TypeError) return null
    throw error
  }
}

/** The data of an instruction with this tag; null if it is another one, or not exactly of this layout. */
function decoded<T extends { readonly tag: number }>(
  layout: Codec<T>,
  tag: number,
  data: Uint8Array,
): T | null {
  try {
    const [value, end] = layout.read(data, 0)
    return value.tag === tag && end === data.length ? value : null
  } catch (error) {
    if (isMalformed(error)) return null
    throw error
  }
}
