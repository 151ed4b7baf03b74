import type { Payout } from '../../src/domain/payouts.ts'
import { hotKey } from '../../src/domain/spends.ts'
import type { ReadTransaction } from '../../src/gates/family.ts'
import { tokenAccountRent } from '../../src/gates/solana/budgets.ts'
import type { Wallet } from '../../src/signer/wallet.ts'
import { solanaOf } from './solana-plans.ts'

type Read = ReadTransaction & { kind: 'solana' }

/** What signed bytes on Solana do with our money. */
export type SolanaEffect = {
  /** What leaves us: to an address, or to a token account that is no approved payout's. */
  readonly paid: readonly { readonly currency: string; readonly to: string; readonly units: bigint }[]
  /** The value of a nonce account that it holds, or the account that it creates. */
  readonly use: string
  /** With the rent of accounts that it opens. */
  readonly feeUnits: bigint
  readonly what: 'payout' | 'sweep' | 'nonce' | 'fill or cancellation'
  readonly problems: readonly string[]
}

const deposits = [0, 1, 2]

/** Reads the effect from the bytes alone; the payouts only say whose token account is whose. */
export function solanaEffect(wallet: Wallet, read: Read, payouts: readonly Payout[]): SolanaEffect {
  const { spending, assets, native, hot } = solanaOf(wallet)
  const own = [hot, ...deposits.map((index) => wallet.addressAt('solana', { chain: 'deposit', index }))]
  const nonceAccounts = Array.from({ length: spending.nonceAccounts }, (_, index) =>
    spending.nonceAccount(index),
  )
  const paid: { currency: string; to: string; units: bigint }[] = []
  const problems: string[] = []
  let [feeUnits, moves, created] = [read.feeUnits, 0, '']

  function move(from: string, to: string, currency: string, units: bigint): void {
    moves++
    // Nothing but a payout leaves the hot wallet, and nothing goes from a deposit address but to the hot wallet.
    if (to === hot) return
    if (from !== hot) problems.push(`${read.hash} pays ${to} from ${from}, which is not the hot wallet`)
    if (own.includes(to)) problems.push(`${read.hash} gives ${units} ${currency} to a deposit address`)
    else paid.push({ currency, to, units })
  }

  if (read.payer !== wallet.addressAt('solana', hotKey))
    problems.push(`${read.payer} pays the fee of ${read.hash}`)
  for (const action of read.actions)
    switch (action.kind) {
      case 'transfer':
        move(action.from, action.to, native.currency, action.units)
        break
      case 'transfer_token': {
        const { mint, owner, account, toAccount, units } = action
        const asset = assets.find(({ contractAddress }) => contractAddress === mint)
        if (asset === undefined) {
          problems.push(`${read.hash} moves the token ${mint}, which we do not know`)
          break
        }
        const known = [...own.map((each) => each ?? ''), ...payouts.map(({ destination }) => destination)]
        const to = known.find((each) => spending.tokenAccount(each, asset) === toAccount)
        if (spending.tokenAccount(owner, asset) !== account)
          problems.push(`${read.hash} takes tokens from ${account}, which is not ${owner}'s own account`)
        move(owner, to ?? toAccount, asset.currency, units)
        break
      }
      case 'open':
        feeUnits += tokenAccountRent
        break
      case 'create_nonce':
        created = action.account
        feeUnits += action.units
        if (!nonceAccounts.includes(action.account))
          problems.push(`${read.hash} creates ${action.account}, which is none of our nonce accounts`)
        break
      case 'close':
      case 'memo':
        break
    }
  const { lifetime } = read
  // The network may execute it as often as someone has it signed with another block.
  if (lifetime.kind === 'blockhash' && (created === '' || moves > 0))
    problems.push(`${read.hash} holds no nonce`)
  const unpaid = created !== '' ? 'nonce' : moves > 0 ? 'sweep' : 'fill or cancellation'
  return {
    paid,
    use: lifetime.kind === 'nonce' ? `${lifetime.account} ${lifetime.value}` : `creation of ${created}`,
    feeUnits,
    what: paid.length > 0 ? 'payout' : unpaid,
    problems,
  }
}
