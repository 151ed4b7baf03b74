import { type GateAsset, nativeOf } from '../../gates/gate.ts'
import type { SolanaAction } from '../../gates/solana/actions.ts'
import { accountRentOf } from '../../gates/solana/budgets.ts'
import { associatedTokenAccount, nonceAccount } from '../../gates/solana/derived-address.ts'
import { readSolanaTransaction, type SolanaReading } from '../../gates/solana/read-transaction.ts'
import type { Executable, SignedBytesReader } from './signed-bytes.ts'

type Debit = Executable['debits'][number]
type TokenTransfer = Extract<SolanaAction, { kind: 'transfer_token' }>

/**
 * Reads the transactions that we sign, as the network's nodes would; it runs no other programs. Token accounts are not
 * simulated: a transaction that opens one always pays its rent, so that it always costs its maximum.
 */
export function solanaReader(assets: readonly GateAsset[], nonceAccounts: number): SignedBytesReader {
  const native = nativeOf(assets).currency
  return {
    coinsOf: (bytes) => ('refused' in readSolanaTransaction(bytes) ? null : []),

    read(bytes) {
      const found = readSolanaTransaction(bytes)
      if ('refused' in found) return found
      const index = indexOf(found, nonceAccounts)
      if (index === null || found.lifetime.kind !== 'nonce')
        return { refused: 'The nonce account exists already, or is none of the sender’s.' }
      const outputs: Executable['outputs'][number][] = []
      const rentUnits = found.actions.reduce(
        (sum, action) => (action.kind === 'open' ? sum + accountRentOf(action.program) : sum),
        0n,
      )
      const feeUnits = found.feeUnits + rentUnits
      const debits: Debit[] = [{ address: found.payer, currency: native, units: feeUnits }]
      for (const action of found.actions) {
        if (action.kind === 'transfer') {
          const { from, to, units } = action
          debits.push({ address: from, currency: native, units })
          outputs.push({ address: to, tag: null, currency: native, units })
        }
        if (action.kind !== 'transfer_token') continue
        const asset = assets.find(({ contractAddress }) => contractAddress === action.mint)
        if (asset === undefined) return { refused: `There is no known token with the mint ${action.mint}.` }
        if ((asset.tokenProgram ?? 'token') !== action.program)
          return { refused: `The token ${action.mint} belongs to another program.` }
        if (asset.decimals !== action.decimals)
          return { refused: `The token ${action.mint} has other decimals.` }
        const to = receiverOf(found, action)
        if (to === null || action.account !== accountOf(action.owner, action))
          return { refused: `There is no token account ${action.account} or ${action.toAccount}.` }
        const { owner, units } = action
        debits.push({ address: owner, currency: asset.currency, units })
        outputs.push({ address: to, tag: null, currency: asset.currency, units })
      }
      return {
        hash: found.hash,
        bytes: null,
        uses: { kind: 'nonce_account', holder: found.payer, index, value: found.lifetime.value },
        outputs,
        debits: merged(debits),
        feeUnits,
        feeRate: found.computePrice,
      }
    },
  }
}

function indexOf({ payer, lifetime }: SolanaReading, count: number): number | null {
  if (lifetime.kind !== 'nonce') return null
  for (let index = 0; index < count; index++)
    if (nonceAccount(payer, index) === lifetime.account) return index
  return null
}

/** Who owns the token account that is paid: the one it is opened for, or the payer. Null when that cannot be told. */
function receiverOf({ payer, actions }: SolanaReading, transfer: TokenTransfer): string | null {
  const opened = actions.find((each) => each.kind === 'open' && each.account === transfer.toAccount)
  if (opened?.kind === 'open') return opened.owner
  return accountOf(payer, transfer) === transfer.toAccount ? payer : null
}

function accountOf(owner: string, { program, mint }: TokenTransfer): string {
  return associatedTokenAccount(owner, program, mint)
}

function merged(debits: readonly Debit[]): Debit[] {
  const byPurse = Map.groupBy(debits, ({ address, currency }) => `${address} ${currency}`)
  return [...byPurse.values()].map(([first, ...rest]) => ({
    ...(first as Debit),
    units: rest.reduce((sum, { units }) => sum + units, first?.units ?? 0n),
  }))
}
