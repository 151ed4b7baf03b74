import { type Db, sql } from '../../src/store/sql.ts'
import type { ChainTransaction } from './chain.ts'
import type { Chains } from './stage.ts'

/** An output on a simulated chain in its final state. */
export type ChainOutput = {
  readonly gateId: string
  readonly txHash: string
  readonly outputIndex: number
  readonly address: string
  readonly tag: string
  readonly currency: string
  readonly units: bigint
  readonly transaction: ChainTransaction
  readonly tip: bigint
}

/** A payment as the service has it. */
export type SeenPayment = {
  readonly id: string
  readonly gateId: string
  readonly txHash: string
  readonly outputIndex: number
  readonly units: bigint
  readonly invoiceId: string | null
  readonly suspenseReason: string | null
  readonly seenAt: Date
  readonly waiting: boolean
  readonly blockHeight: bigint | null
  readonly credited: boolean
  readonly credits: number
  readonly late: boolean
}

export type FinalInvoice = {
  readonly id: string
  readonly merchantId: string
  readonly staticAddressId: string | null
  readonly status: string
  readonly gateId: string | null
  readonly network: string
  readonly currency: string
  readonly amountUnits: bigint
  readonly address: string
  readonly tag: string
  readonly toleranceBps: bigint
  readonly feeBps: bigint
  readonly windowIsOver: boolean
  readonly expiresAt: Date | null
  readonly paidTold: bigint
  readonly creditsTold: bigint
  readonly reversalsTold: bigint
}

export type StaticOwner = {
  readonly id: string
  readonly merchantId: string
  readonly gateId: string
  readonly currency: string
  readonly address: string
  readonly tag: string
  readonly feeBps: bigint
}

export type Facts = {
  readonly outputs: readonly ChainOutput[]
  readonly payments: readonly SeenPayment[]
  readonly invoices: readonly FinalInvoice[]
  readonly addresses: readonly StaticOwner[]
  /** Balances by `<kind> <merchant> <network> <currency>`. */
  readonly balances: ReadonlyMap<string, bigint>
}

/** Reads what the model judges, without any of the service's own reading code. */
export async function readFacts(db: Db, chains: Chains): Promise<Facts> {
  const outputs = [...chains].flatMap(([id, chain]) =>
    chain.transactions.flatMap((transaction) =>
      transaction.outputs.map((output, outputIndex) => ({
        ...output,
        tag: output.tag ?? '',
        gateId: `${id}-test`,
        txHash: transaction.hash,
        outputIndex,
        transaction,
        tip: chain.tip.height,
      })),
    ),
  )
  const payments = await sql<SeenPayment>`
    select id, gate_id as "gateId", tx_hash as "txHash", output_index as "outputIndex", units, invoice_id as "invoiceId",
      suspense_reason as "suspenseReason", seen_at as "seenAt", waiting, block_height as "blockHeight",
      coalesce(credited, false) as credited, coalesce(credits, 0) as credits, coalesce(late, false) as late
    from payments left join payment_bookings on payment_id = id`.rows(db)
  const invoices = await sql<FinalInvoice>`
    select id, merchant_id as "merchantId", static_address_id as "staticAddressId", status, gate_id as "gateId", network,
      currency, coalesce(amount_units, 0) as "amountUnits", coalesce(deposit_address, '') as address,
      coalesce(deposit_address_tag, '') as tag, tolerance_bps::bigint as "toleranceBps", fee_bps::bigint as "feeBps",
      coalesce(expires_at < clock_timestamp(), true) as "windowIsOver", expires_at as "expiresAt",
      (select count(*) from events where event = 'invoice.paid' and data ->> 'id' = invoices.id::text) as "paidTold",
      (select count(*) from events where event = 'balance.credited' and data ->> 'invoice_id' = invoices.id::text)
        as "creditsTold",
      (select count(*) from events where event = 'invoice.deposit_reversed' and data ->> 'id' = invoices.id::text)
        as "reversalsTold"
    from invoices`.rows(db)
  const addresses = await sql<StaticOwner>`
    select static_addresses.id, merchant_id as "merchantId", gate_id as "gateId", currency, address,
      coalesce(address_tag, '') as tag, fee_bps::bigint as "feeBps"
    from static_addresses join merchants on merchants.id = merchant_id`.rows(db)
  const balances = await sql<{ name: string; units: bigint }>`
    select concat_ws(' ', kind, merchant_id, network, currency) as name, balance_units as units
    from ledger_accounts where balance_units <> 0`.rows(db)
  return {
    outputs,
    payments: payments,
    invoices: invoices,
    addresses: addresses,
    balances: new Map(balances.map(({ name, units }) => [name, units])),
  }
}
