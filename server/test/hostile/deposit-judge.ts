import { query } from '../support/database/database.ts'
import { type DepositChains, type DepositStage, depositNetworks } from './deposit-stage.ts'

type Credit = {
  readonly entry_type: string
  readonly network: string
  readonly currency: string
  readonly units: string
  readonly tx_hash: string | null
  readonly output_index: number | null
}

/** A credit, and what is wrong with it: the chain has no such transfer, or has it to an address of someone else. */
export type Unbacked = { readonly text: string; readonly isInvented: boolean; readonly isToken: boolean }

const tokens = new Set(['USDT'])
/** How far the wallet's addresses are derived: further than any seed hands out. */
const derivedPositions = 120
const keychains = { bitcoin: 'bitcoin-test', ethereum: 'evm-test' } as const

/**
 * Knows which transfers the chains have and which addresses the seed derives. Of the database it asks only what was credited:
 * what ledger transactions added to the accounts of merchants, of suspense and of the operator's float.
 */
export function createDepositJudge(stage: DepositStage) {
  const ours = new Map(
    depositNetworks.map((network) => [
      network,
      new Set(
        Array.from({ length: derivedPositions }, (_, at) => stage.derive(keychains[network], at)?.address),
      ),
    ]),
  )

  /** What the chains have paid, by network, transaction and output. */
  function paidOn(chains: DepositChains) {
    return new Map<string, { currency: string; units: bigint; isOurs: boolean }>(
      depositNetworks.flatMap((network) =>
        chains[network].transactions
          .filter(({ state }) => state === 'mined')
          .flatMap(({ hash, outputs }) =>
            outputs.map(({ address, currency, units }, at) => {
              const isOurs = ours.get(network)?.has(address) ?? false
              return [`${network} ${hash}:${at}`, { currency, units, isOurs }] as const
            }),
          ),
      ),
    )
  }

  return {
    /** Credits that no transfer to an address of ours backs. */
    async unbacked(url: string, chains: DepositChains): Promise<Unbacked[]> {
      const credits = await query<Credit>(
        url,
        `select entry_type, account.network, account.currency, sum(postings.units) as units, payment.tx_hash, payment.output_index
         from postings
         join ledger_accounts as account on account.id = account_id and account.kind in ('available', 'fees', 'suspense', 'float')
         left join ledger_transactions on ledger_transactions.id = transaction_id
         left join payments as payment on payment.id = subject
         group by entry_type, subject, account.network, account.currency, payment.tx_hash, payment.output_index
         having sum(postings.units) > 0`,
      )
      const paid = paidOn(chains)
      return credits.flatMap(({ entry_type, network, currency, units, tx_hash, output_index }) => {
        const name = `${network} ${tx_hash}:${output_index}`
        const found = paid.get(name)
        const isWhole = found?.currency === currency && found.units >= BigInt(units)
        if (found !== undefined && isWhole && found.isOurs) {
          // What is credited a second time is not there any more.
          paid.set(name, { ...found, units: found.units - BigInt(units) })
          return []
        }
        const text = `${entry_type} of ${units} ${currency} on ${network} for ${tx_hash}:${output_index}`
        return [{ text, isInvented: !isWhole, isToken: tokens.has(currency) }]
      })
    },
  }
}
