import { systemProgram, tokenPrograms } from './derived-address.ts'

const maxShown = 200
const controlPattern = /\p{Cc}+/gu
const failedPattern = /^Program (\S+) failed: (.*)$/
const customPattern = /^custom program error: 0x[0-9a-f]+$/

/** Errors of a transaction as a whole: `TransactionError` of Solana's SDK. */
const transactionErrors: Readonly<Record<string, string>> = {
  AccountNotFound: 'the hot wallet has no SOL to pay the fee with',
  InsufficientFundsForFee: 'the hot wallet has too little SOL to pay the fee',
  InsufficientFundsForRent: 'an account would be left with too little SOL to exist',
  InvalidAccountForFee: 'the hot wallet is not an account that can pay fees',
  BlockhashNotFound: 'the nonce that it holds has been used, or the block that it names is too old',
  AlreadyProcessed: 'it has been executed already',
  AccountInUse: 'another transaction uses one of its accounts right now',
  ProgramAccountNotFound: 'a program that it calls does not exist',
  WouldExceedMaxBlockCostLimit: 'the block is full',
}

/** Errors of both token programs, by number. */
const tokenErrors: Readonly<Record<number, string>> = {
  1: 'the sender has too few tokens',
  3: 'a token account is of another token',
  4: 'a token account has another owner',
  11: 'a token account still holds tokens and cannot be closed',
  17: 'a token account is frozen by the issuer of the token',
  18: 'the token has other decimals than we know',
}

/** Errors of any program: `InstructionError` of Solana's SDK. */
const instructionErrors: Readonly<Record<string, string>> = {
  InvalidAccountData: 'an account that it needs does not exist or is of another kind',
  InsufficientFunds: 'an account has too little SOL',
  ComputationalBudgetExceeded: 'it takes more compute units than it may use',
  UninitializedAccount: 'an account that it needs does not exist',
  AccountAlreadyInitialized: 'the account that it creates exists already',
}

/** Errors of the system program, by number. */
const systemErrors: Readonly<Record<number, string>> = {
  0: 'the account that it creates exists already',
  1: 'the sender has too little SOL',
}

const tooFewTokens = 1
const noReason = 'the node gives no reason'

/**
 * Why a transaction fails, in words that continue a sentence. `err` is the error of Solana's SDK as JSON, and `logs` what the
 * programs wrote; both may be anything.
 */
export function failureOf(err: unknown, logs: unknown): string {
  if (typeof err === 'string') return transactionErrors[err] ?? shown(err)
  if (typeof err !== 'object' || err === null) return noReason
  const { InstructionError: failed } = err as { InstructionError?: unknown }
  if (Array.isArray(failed)) return instructionFailure(failed[1], logs)
  const [name = ''] = Object.keys(err)
  return transactionErrors[name] ?? shown(JSON.stringify(err))
}

function instructionFailure(error: unknown, logs: unknown): string {
  const { program, words } = lastFailure(logs)
  if (typeof error === 'string') return instructionErrors[error] ?? shown(error)
  const { Custom: code } = (error ?? {}) as { Custom?: unknown }
  if (typeof code !== 'number') return error == null ? noReason : shown(JSON.stringify(error))
  const known = isTokenProgram(program)
    ? tokenErrors[code]
    : program === systemProgram
      ? systemErrors[code]
      : undefined
  if (known !== undefined) return known
  return words === null || customPattern.test(words)
    ? shown(`the program ${program ?? ''} fails with error ${code}`)
    : shown(words)
}

/**
 * Whether the network would execute it, and it would fail at a step that no waiting helps: a receiver's token account is
 * frozen or gone. What is only short of funds, or comes at the wrong time, may still succeed.
 */
export function failsForGood(err: unknown, logs: unknown): boolean {
  const { InstructionError: failed } = (typeof err === 'object' && err !== null ? err : {}) as {
    InstructionError?: unknown
  }
  const { program } = lastFailure(logs)
  // The system program moves SOL, creates accounts and advances nonces.
  if (!Array.isArray(failed) || program === null || program === systemProgram) return false
  const { Custom: code } = (failed[1] ?? {}) as { Custom?: unknown }
  return failed[1] !== 'InsufficientFunds' && !(isTokenProgram(program) && code === tooFewTokens)
}

function isTokenProgram(program: string | null): boolean {
  return program === tokenPrograms.token || program === tokenPrograms['token-2022']
}

/** Which program failed first, and its words. */
function lastFailure(logs: unknown): { readonly program: string | null; readonly words: string | null } {
  const lines = Array.isArray(logs) ? logs : []
  // The program that knows the reason fails first, then the one that called it.
  for (const line of lines) {
    const [, program, words] = (typeof line === 'string' ? failedPattern.exec(line) : null) ?? []
    if (program !== undefined && words !== undefined) return { program, words }
  }
  return { program: null, words: null }
}

/** Text from outside: bounded, on one line, and without a final full stop, because our sentence continues. */
export function shown(text: string): string {
  return text
    .replaceAll(controlPattern, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, maxShown)
    .replace(/\.$/, '')
}
