import { describe, expect, it } from 'vitest'
import type { Transfer } from '../../../src/domain/chain.ts'
import { GateOutageError } from '../../../src/gates/gate.ts'
import { readBlock } from '../../../src/gates/solana/node-answers.ts'
import { selectGainers, transfersIn } from '../../../src/gates/solana/node-transfers.ts'
import {
  inJson,
  keyOf,
  type MadeTokens,
  type MadeTransaction,
  madeTransaction,
  solTo,
} from '../../support/nodes/scripted-solana.ts'
import { watching } from '../watch.ts'
import { solanaAssets } from './reading.ts'

const [ours, second, payer, stranger] = ['ours', 'second', 'payer', 'stranger'].map(keyOf) as [
  string,
  string,
  string,
  string,
]
const usdc = solanaAssets().find(({ currency }) => currency === 'USDC')?.contractAddress as string
const wrappedSol = 'So11111111111111111111111111111111111111112'
// The lamports that a token account must hold.
const rent = 2_039_280
const payerAccount = { address: payer, before: 10_000_000_000, after: 9_999_995_000 }
const tokenAccount = (name: string) => ({ address: keyOf(`account ${name}`), before: rent, after: rent })

/** The transfers that a block with these transactions pays to us, the same in both forms in which a node may send it. */
async function paidBy(...transactions: readonly MadeTransaction[]): Promise<Transfer[]> {
  const [read = [], again] = await Promise.all(
    (['accounts', 'full'] as const).map(async (details) => {
      const answer = {
        blockHeight: 7,
        blockTime: 1_790_000_000,
        blockhash: keyOf('block'),
        parentSlot: 8,
        previousBlockhash: keyOf('parent'),
        transactions: transactions.map((each) => inJson(each, details)),
      }
      const watched = watching([ours, second].map((address) => ({ address, tag: null })))
      const [transfers = []] = await transfersIn(
        solanaAssets(),
        [selectGainers(solanaAssets())(readBlock(answer, 9))],
        watched,
      )
      expect(watched.asked.length).toBeLessThanOrEqual(1)
      for (const asked of watched.asked) expect(new Set(asked).size).toBe(asked.length)
      return transfers
    }),
  )
  expect(again).toEqual(read)
  return read
}

/** Tokens that leave the payer's account and arrive, in whole or in part, at another. */
function tokensTo(
  given: Partial<MadeTokens> & { after: bigint | null },
  sent = given.after,
): MadeTransaction {
  const line = { at: 2, mint: usdc, owner: ours, before: 0n, ...given }
  return madeTransaction({
    accounts: [payerAccount, tokenAccount('payer'), tokenAccount('ours')],
    tokens: [
      { at: 1, mint: line.mint, owner: payer, before: 90_000_000n, after: 90_000_000n - (sent ?? 0n) },
      line,
    ],
  })
}

const what = ({ currency, address, units }: Transfer) => ({ currency, address, units })
const sol = (units: bigint, address = ours) => ({ currency: 'SOL', address, units })
const usd = (units: bigint, address = ours) => ({ currency: 'USDC', address, units })

describe('a deposit', () => {
  it('of SOL is the change of the address’s balance', async () => {
    const [found, ...more] = await paidBy(solTo(ours, 1_500_000_000, 7))
    expect(more).toEqual([])
    expect(found).toMatchObject({ ...sol(1_500_000_000n), tag: null })
    expect(found?.txHash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/)
  })

  it.each([
    ['to an associated account', { before: 5_000_000n, after: 8_000_000n }],
    ['to an account that is created for it', { before: null, after: 3_000_000n }],
    ['by giving us a whole account', { ownerBefore: payer, before: 3_000_000n, after: 3_000_000n }],
  ])('of tokens %s is the change of what the owner has', async (_, given) => {
    expect((await paidBy(tokensTo(given))).map(what)).toEqual([usd(3_000_000n)])
  })

  it('of tokens to several accounts of one owner is one transfer', async () => {
    const transaction = madeTransaction({
      accounts: [payerAccount, tokenAccount('payer'), tokenAccount('one'), tokenAccount('two')],
      tokens: [
        { at: 1, mint: usdc, owner: payer, before: 9_000_000n, after: 2_000_000n },
        { at: 2, mint: usdc, owner: ours, before: 1n, after: 3_000_001n },
        { at: 3, mint: usdc, owner: ours, before: null, after: 4_000_000n },
      ],
    })
    expect((await paidBy(transaction)).map(what)).toEqual([usd(7_000_000n)])
  })

  it('may be several in one transaction, each with a name of its own', async () => {
    const transaction = madeTransaction({
      accounts: [
        { address: payer, before: 10_000_000_000, after: 9_989_995_000 },
        { address: ours, before: 0, after: 4_000_000 },
        { address: second, before: 0, after: 6_000_000 },
        tokenAccount('payer'),
        tokenAccount('ours'),
        tokenAccount('second'),
      ],
      tokens: [
        { at: 3, mint: usdc, owner: payer, before: 9_000_000n, after: 6_000_000n },
        { at: 4, mint: usdc, owner: ours, before: 0n, after: 1_000_000n },
        { at: 5, mint: usdc, owner: second, before: 0n, after: 2_000_000n },
      ],
    })
    const found = await paidBy(transaction)
    expect(found.map(what)).toEqual([
      sol(4_000_000n),
      sol(6_000_000n, second),
      usd(1_000_000n),
      usd(2_000_000n, second),
    ])
    const indexes = found.map(({ outputIndex }) => outputIndex)
    expect(new Set(indexes).size).toBe(4)
    // The column that stores it has 31 bits.
    for (const index of indexes) expect(index >= 0 && index < 2 ** 31).toBe(true)
    expect(new Set(found.map(({ txHash }) => txHash))).toEqual(new Set([transaction.signature]))
  })

  it('through a program, to addresses from tables, counts like any other', async () => {
    const transaction = madeTransaction({
      accounts: [
        payerAccount,
        { ...tokenAccount('pool'), table: 'writable' },
        { ...tokenAccount('ours'), table: 'writable' },
        { address: ours, before: 1_000_000, after: 3_000_000, table: 'writable' },
        { address: usdc, before: rent, after: rent, table: 'readonly' },
      ],
      tokens: [
        { at: 1, mint: usdc, owner: stranger, before: 900_000_000n, after: 898_000_000n },
        { at: 2, mint: usdc, owner: ours, before: 0n, after: 2_000_000n },
      ],
    })
    expect((await paidBy(transaction)).map(what)).toEqual([sol(2_000_000n), usd(2_000_000n)])
  })

  it('keeps its name wherever it is executed, and has another if it brings another amount', async () => {
    const swap = (units: bigint): MadeTransaction => ({
      ...tokensTo({ after: units }),
      signature: keyOf('s').repeat(2),
    })
    const [first, again, other] = [await paidBy(swap(5n)), await paidBy(swap(5n)), await paidBy(swap(6n))]
    expect(again).toEqual(first)
    expect(other[0]?.outputIndex).not.toBe(first[0]?.outputIndex)
  })

  it('of SOL to an address that pays the fee itself is what is left of it', async () => {
    const transaction = madeTransaction({
      accounts: [
        { address: ours, before: 1_000_000, after: 2_995_000 },
        { address: payer, before: 9_000_000, after: 7_000_000 },
      ],
    })
    expect((await paidBy(transaction)).map(what)).toEqual([sol(1_995_000n)])
  })

  it('of SOL from a closed account counts: its lamports are ours', async () => {
    // The payer unwraps SOL to our address.
    const transaction = madeTransaction({
      accounts: [
        payerAccount,
        { address: keyOf('wrapped'), before: 502_039_280, after: 0 },
        { address: ours, before: 0, after: 502_039_280 },
      ],
      tokens: [{ at: 1, mint: wrappedSol, owner: payer, before: 500_000_000n, after: null, decimals: 9 }],
    })
    expect((await paidBy(transaction)).map(what)).toEqual([sol(502_039_280n)])
  })

  it('between two of our own addresses is one at the second', async () => {
    const transaction = madeTransaction({
      accounts: [
        { address: ours, before: 5_000_000, after: 1_995_000 },
        { address: second, before: 0, after: 3_000_000 },
      ],
    })
    expect((await paidBy(transaction)).map(what)).toEqual([sol(3_000_000n, second)])
  })
})

describe('tokens of Token-2022', () => {
  it('with a transfer fee count as far as they arrive: what is withheld in our account is not ours', async () => {
    expect((await paidBy(tokensTo({ after: 9_900_000n }, 10_000_000n))).map(what)).toEqual([usd(9_900_000n)])
  })

  it('with a transfer hook count by what arrived, apart from what else the hook did', async () => {
    const { accounts, tokens, ...rest } = tokensTo({ after: 3_000_000n })
    // The hook's program and its accounts; it takes a toll from the payer.
    const hook = [
      { address: keyOf('hook'), before: 1, after: 1 },
      { address: keyOf('toll'), before: 0, after: 1_000_000 },
    ]
    expect((await paidBy({ ...rest, tokens, accounts: [...accounts, ...hook] })).map(what)).toEqual([
      usd(3_000_000n),
    ])
  })

  it('that a permanent delegate takes back are no deposit, not even a negative one', async () => {
    expect(await paidBy(tokensTo({ before: 3_000_000n, after: 0n }))).toEqual([])
  })

  it('in a confidential transfer are never seen: public balances do not change', async () => {
    expect(await paidBy(tokensTo({ before: 1_000_000n, after: 1_000_000n }, 0n))).toEqual([])
  })

  it('count in units, not as they are displayed', async () => {
    // Mints may scale or bear interest: then `uiAmount` says more than there is.
    const scaled = inJson(tokensTo({ after: 3_000_000n }), 'accounts')
    scaled.meta.postTokenBalances[1].uiTokenAmount.uiAmount = 300
    scaled.meta.postTokenBalances[1].uiTokenAmount.uiAmountString = '300'
    expect((await readOne(scaled)).map(what)).toEqual([usd(3_000_000n)])
  })
})

describe('no deposit is', () => {
  it.each<[string, MadeTransaction]>([
    [
      'a transaction that failed, whatever it says',
      { ...solTo(ours, 5_000_000), err: { InstructionError: [0, { Custom: 1 }] } },
    ],
    [
      // Token programs refuse a transfer to a frozen account: error 17.
      'a transfer to a frozen account, which fails',
      {
        ...tokensTo({ before: 4_000_000n, after: 4_000_000n }, 0n),
        err: { InstructionError: [1, { Custom: 17 }] },
      },
    ],
    [
      'a token of the same symbol with another mint',
      tokensTo({ mint: keyOf('USDC, honestly'), after: 5_000_000n }),
    ],
    ['a transfer to an account that we do not own', tokensTo({ owner: stranger, after: 5_000_000n })],
    [
      'a transfer to a token account that has our address only in its memo, or among its accounts',
      madeTransaction({
        accounts: [
          payerAccount,
          tokenAccount('payer'),
          tokenAccount('theirs'),
          { address: ours, before: 3, after: 3 },
        ],
        tokens: [
          { at: 1, mint: usdc, owner: payer, before: 5_000_000n, after: 0n },
          { at: 2, mint: usdc, owner: stranger, before: 0n, after: 5_000_000n },
        ],
      }),
    ],
    [
      'a transfer to itself',
      madeTransaction({
        accounts: [payerAccount, { address: ours, before: 70, after: 70 }, tokenAccount('ours')],
        tokens: [{ at: 2, mint: usdc, owner: ours, before: 5_000_000n, after: 5_000_000n }],
      }),
    ],
    [
      'a move between two token accounts of one owner',
      madeTransaction({
        accounts: [payerAccount, tokenAccount('one'), tokenAccount('two')],
        tokens: [
          { at: 1, mint: usdc, owner: ours, before: 5_000_000n, after: null },
          { at: 2, mint: usdc, owner: ours, before: 1n, after: 5_000_001n },
        ],
      }),
    ],
    [
      'a memo that names our address',
      madeTransaction({ accounts: [payerAccount, { address: ours, before: 0, after: 0 }] }),
    ],
    [
      'wrapped SOL: it is a token of its own, not SOL',
      tokensTo({ mint: wrappedSol, after: 5_000_000_000n, decimals: 9 }),
    ],
    ['the rent in a token account of ours', tokensTo({ before: null, after: 0n }, 0n)],
    ['what we send', madeTransaction({ accounts: [{ address: ours, before: 9_000_000, after: 3_995_000 }] })],
    [
      'a token account of ours that is taken away',
      tokensTo({ ownerBefore: ours, owner: stranger, before: 9n, after: 9n }),
    ],
  ])('%s', async (_, transaction) => {
    expect(await paidBy(transaction)).toEqual([])
  })
})

async function readOne(...transactions: readonly unknown[]): Promise<Transfer[]> {
  const place = {
    blockHeight: 7,
    blockTime: 1,
    blockhash: keyOf('b'),
    parentSlot: 8,
    previousBlockhash: keyOf('p'),
  }
  const watched = watching([{ address: ours, tag: null }])
  return (
    (
      await transfersIn(
        solanaAssets(),
        [selectGainers(solanaAssets())(readBlock({ ...place, transactions }, 9))],
        watched,
      )
    )[0] ?? []
  )
}

describe('a node that shows nonsense about a payment is not believed:', () => {
  // biome-ignore lint/suspicious/noExplicitAny: anything in a node's answer
  const spoilt: Record<string, (transaction: any) => unknown> = {
    'no meta': (each) => ({ ...each, meta: null }),
    'no outcome': ({ meta: { err: _, ...meta }, ...each }) => ({ ...each, meta }),
    'no signature': (each) => ({ ...each, transaction: { ...each.transaction, signatures: [] } }),
    'no accounts': (each) => ({ ...each, transaction: { signatures: each.transaction.signatures } }),
    'fewer balances than accounts': (each) => ({ ...each, meta: { ...each.meta, postBalances: [1] } }),
    'a balance in words': (each) => ({ ...each, meta: { ...each.meta, postBalances: ['1', '2', '3', '4'] } }),
    'a balance that has lost digits': (each) => ({
      ...each,
      meta: { ...each.meta, postBalances: [1, 2, 2 ** 60, 4] },
    }),
    'a balance that is no integer': (each) => ({
      ...each,
      meta: { ...each.meta, postBalances: [1, 2, 1e6 + 0.5, 4] },
    }),
    'no token balances': (each) => ({ ...each, meta: { ...each.meta, postTokenBalances: null } }),
    'tokens without an owner': spoilTokens(({ owner: _, ...balance }) => balance),
    'tokens without a mint': spoilTokens(({ mint: _, ...balance }) => balance),
    'tokens in no account': spoilTokens((balance) => ({ ...balance, accountIndex: 4 })),
    'a token account twice': (each) => {
      const [own, one] = each.meta.postTokenBalances
      return { ...each, meta: { ...each.meta, postTokenBalances: [own, one, one] } }
    },
    'tokens with other decimals': spoilUnits({ decimals: 9 }),
    'a negative amount': spoilUnits({ amount: '-5' }),
    'an amount with a fraction': spoilUnits({ amount: '5.5' }),
    'an amount that cannot be': spoilUnits({ amount: '18446744073709551616' }),
    'an amount that is a number': spoilUnits({ amount: 5 }),
  }
  // biome-ignore lint/suspicious/noExplicitAny: anything in a node's answer
  function spoilTokens(spoil: (balance: any) => unknown) {
    // biome-ignore lint/suspicious/noExplicitAny: anything in a node's answer
    return ({ meta, ...each }: any) => {
      const [own, one] = meta.postTokenBalances
      return { ...each, meta: { ...meta, postTokenBalances: [own, spoil(one)] } }
    }
  }
  function spoilUnits(units: object) {
    return spoilTokens((balance) => ({ ...balance, uiTokenAmount: { ...balance.uiTokenAmount, ...units } }))
  }
  const good = () => {
    const { accounts, tokens } = tokensTo({ after: 5n, at: 3 })
    const [own, paying, receiving] = accounts as [
      (typeof accounts)[0],
      (typeof accounts)[0],
      (typeof accounts)[0],
    ]
    const toUs = { address: ours, before: 0, after: 1_000_000 }
    return inJson(madeTransaction({ accounts: [own, paying, toUs, receiving], tokens }), 'accounts')
  }

  it.each(Object.entries(spoilt))('%s', async (_, spoil) => {
    expect(await readOne(good())).toHaveLength(2)
    await expect(readOne(spoil(good()))).rejects.toBeInstanceOf(GateOutageError)
  })

  it('the same transaction twice', async () => {
    const one = good()
    await expect(readOne(one, one)).rejects.toBeInstanceOf(GateOutageError)
  })

  it('but what it shows about others does not matter', async () => {
    const odd = inJson(solTo(stranger, 5), 'accounts')
    odd.meta.postBalances[1] = 2 ** 62
    expect(await readOne(odd, good())).toHaveLength(2)
  })
})
