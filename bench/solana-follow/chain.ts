import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'

/** How many transactions a block has, and how many of them pay us. */
export const transactionsPerBlock = 1_500
export const toUsPerBlock = 6
export const genesis = keyOf('genesis')

const systemProgram = '11111111111111111111111111111111'
const voteProgram = 'Vote111111111111111111111111111111111111111'
const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const rent = 2_039_280

/** Our made-up deposit address number `index`. */
export function ownAddress(index: number): string {
  return keyOf(`ours ${index}`)
}

function keyOf(name: string): string {
  return base58.encode(createHash('sha256').update(name).digest())
}

export function hashAt(height: number): string {
  return height === 0 ? genesis : keyOf(`block ${height}`)
}

type Account = { readonly key: string; readonly before: number; readonly after: number }
type Tokens = { readonly at: number; readonly owner: string; readonly before: bigint; readonly after: bigint }

/** A node's JSON of a transaction with the details of its accounts. */
function transaction(
  name: string,
  accounts: readonly Account[],
  mint: string,
  tokens: readonly Tokens[],
): object {
  const held = (side: 'before' | 'after') =>
    tokens.map((each) => {
      const text = String(Number(each[side]) / 1e6)
      return {
        accountIndex: each.at,
        mint,
        owner: each.owner,
        programId: tokenProgram,
        uiTokenAmount: {
          amount: String(each[side]),
          decimals: 6,
          uiAmount: Number(text),
          uiAmountString: text,
        },
      }
    })
  return {
    meta: {
      err: null,
      fee: 5_000,
      postBalances: accounts.map(({ after }) => after),
      postTokenBalances: held('after'),
      preBalances: accounts.map(({ before }) => before),
      preTokenBalances: held('before'),
      status: { Ok: null },
    },
    transaction: {
      accountKeys: accounts.map(({ key }, at) => ({
        pubkey: key,
        signer: at === 0,
        source: at < 12 ? 'transaction' : 'lookupTable',
        writable: at % 3 !== 2,
      })),
      signatures: [base58.encode(createHash('sha512').update(name).digest())],
    },
    version: accounts.length > 12 ? 0 : 'legacy',
  }
}

/**
 * A block as full as Solana's are: a third votes, a third payments in SOL, a third trades with twenty accounts and six token
 * balances.
 */
export function blockText(height: number, parentSlot: number, ownCount: number, mint: string): string {
  const transactions = Array.from({ length: transactionsPerBlock }, (_, at) => {
    const name = `${height} ${at}`
    const payer = { key: keyOf(`payer ${name}`), before: 5_000_000_000, after: 4_989_995_000 }
    const isOurs = at < toUsPerBlock
    const to = isOurs ? ownAddress((height * 7 + at) % ownCount) : keyOf(`stranger ${name}`)
    if (at % 3 === 0 && !isOurs)
      return transaction(
        name,
        [
          { ...payer, after: payer.before - 5_000 },
          { key: keyOf(`vote ${at}`), before: 27_074_400, after: 27_074_400 },
          { key: voteProgram, before: 1, after: 1 },
        ],
        mint,
        [],
      )
    if (at % 2 === 0)
      return transaction(
        name,
        [payer, { key: to, before: 0, after: 10_000_000 }, { key: systemProgram, before: 1, after: 1 }],
        mint,
        [],
      )
    const pool = Array.from({ length: 19 }, (_, place) => ({
      key: keyOf(`pool ${place} ${place < 6 ? name : at % 40}`),
      before: rent,
      after: place > 16 ? rent + 1_000 : rent,
    }))
    const tokens = [to, ...Array.from({ length: 5 }, (_, place) => keyOf(`trader ${place} ${name}`))].map(
      (owner, place) => ({
        at: place + 1,
        owner,
        before: 9_000_000n,
        after: place < 3 ? 10_000_000n : 8_000_000n,
      }),
    )
    return transaction(name, [payer, ...pool], mint, tokens)
  })
  return JSON.stringify({
    blockHeight: height,
    blockTime: 1_790_000_000 + height,
    blockhash: hashAt(height),
    parentSlot,
    previousBlockhash: hashAt(Math.max(0, height - 1)),
    ...(height > 0 ? { transactions } : { transactions: [] }),
  })
}
