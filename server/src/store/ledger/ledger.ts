import type { Caller } from '../../domain/caller.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Account, AccountKind, LedgerAsset, LedgerTransaction, Posting } from '../../domain/ledger.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import { type PageRow, pageFrom } from '../outer-rows.ts'
import { positionsOf, totalOf } from '../reports/counts.ts'
import { type Db, sql } from '../sql.ts'
import { rowNow } from '../test-clocks.ts'

export type LedgerEntry = {
  readonly number: bigint
  readonly currency: string
  readonly network: string
  readonly decimals: number
  readonly environment: Environment
  readonly entryType: string
  /** Negative for a debit. */
  readonly units: bigint
  readonly balanceAfter: bigint
  readonly balanceDecimals: number
  readonly referenceType: string | null
  readonly referenceId: string | null
  readonly description: string | null
  readonly createdAt: Date
}

/** An entry that was just posted. */
export type PostedEntry = {
  readonly entryType: string
  readonly subject: string
  readonly number: bigint
  readonly balanceAfter: bigint
  readonly balanceDecimals: number
}

type StoredAccount = {
  readonly id: bigint
  readonly kind: AccountKind
  readonly merchantId: string | null
  readonly environment: Environment
  readonly network: string
  readonly currency: string
  readonly decimals: number
  readonly balance: bigint
}

type AvailableOf = Omit<LedgerAsset, 'decimals'> & { readonly merchantId: string }

type NewTransaction = LedgerTransaction & { readonly id: string }

const accountColumns = sql`
  id, kind, merchant_id as "merchantId", environment, network, currency, decimals, balance_units as balance`

const accountName = (account: Omit<Account, 'decimals'>): string =>
  `${account.merchantId ?? ''} ${account.environment} ${account.currency} ${account.network} ${account.kind}`

const ledgerName = (account: { merchantId: string | null; environment: string; currency: string }): string =>
  `${account.merchantId} ${account.environment} ${account.currency}`

export function ledgerOn(db: Db) {
  /** The named accounts. Creates those that do not exist. */
  async function accounts(named: readonly Account[]): Promise<Map<string, StoredAccount>> {
    const wanted = new Map(named.map((account) => [accountName(account), account]))
    const json = JSON.stringify([...wanted.values()].sort(byName).map(accountRow))
    await sql`
      insert into ledger_accounts (kind, merchant_id, environment, network, currency, decimals)
      select kind, merchant_id, environment, network, currency, decimals
      from json_populate_recordset(null::ledger_accounts, ${json}::json) as wanted
      where not exists (
        select from ledger_accounts as held
        where held.merchant_id is not distinct from wanted.merchant_id and held.environment = wanted.environment
          and held.currency = wanted.currency and held.network = wanted.network and held.kind = wanted.kind)
      on conflict do nothing`.run(db)
    const rows = await sql<StoredAccount>`
      select ${accountColumns} from ledger_accounts
      where (environment, currency, network, kind) in (
          select environment, currency, network, kind from json_populate_recordset(null::ledger_accounts, ${json}::json))
        and (merchant_id is null or merchant_id in (
          select merchant_id from json_populate_recordset(null::ledger_accounts, ${json}::json)))`.rows(db)
    const found = new Map(rows.map((account) => [accountName(account), account]))
    for (const [name, { decimals }] of wanted) {
      const account = found.get(name)
      if (account === undefined) throw new Error(`The ledger account ${name} could not be created.`)
      if (account.decimals !== decimals)
        throw new Error(`The ledger account ${name} was created with other decimals.`)
    }
    return found
  }

  /** Locks the numbering of these merchants' entries, and with it their accounts, until the transaction ends. */
  async function holdNumbers(ledgers: readonly StoredAccount[]): Promise<Map<string, bigint>> {
    const distinct = [...new Map(ledgers.map((account) => [ledgerName(account), account])).values()].sort(
      (a, b) => compare(ledgerName(a), ledgerName(b)),
    )
    const json = JSON.stringify(
      distinct.map(({ merchantId, environment, currency }) => ({
        merchant_id: merchantId,
        environment,
        currency,
      })),
    )
    await sql`
      insert into ledger_numbers (merchant_id, environment, currency)
      select merchant_id, environment, currency from json_populate_recordset(null::ledger_numbers, ${json}::json)
      on conflict do nothing`.run(db)
    const rows = await sql<{
      merchantId: string
      environment: string
      currency: string
      lastNumber: bigint
    }>`
      select merchant_id as "merchantId", environment, currency, last_number as "lastNumber" from ledger_numbers
      where (merchant_id, environment, currency) in (
        select merchant_id, environment, currency from json_populate_recordset(null::ledger_numbers, ${json}::json))
      order by merchant_id, environment, currency for no key update`.rows(db)
    return new Map(rows.map((row) => [ledgerName(row), row.lastNumber]))
  }

  /**
   * The accounts by id, locked in an order that all callers share. No other transaction can change their balances any more.
   */
  async function lock(ids: readonly bigint[]): Promise<StoredAccount[]> {
    return sql<StoredAccount>`
      select ${accountColumns} from ledger_accounts where id = any(${ids.map(String)}::bigint[])
      order by id for no key update`.rows(db)
  }

  async function readAvailable(wanted: readonly AvailableOf[]): Promise<(of: AvailableOf) => bigint> {
    const rows = await sql<StoredAccount>`
      select ${accountColumns} from ledger_accounts
      where (kind, merchant_id, environment, network, currency) in (
        select kind, merchant_id, environment, network, currency
        from json_populate_recordset(null::ledger_accounts, ${availableRows(wanted)}::json))`.rows(db)
    const balances = new Map(rows.map((account) => [accountName(account), account.balance]))
    return (of) => balances.get(accountName({ ...of, kind: 'available' })) ?? 0n
  }

  return {
    /**
     * Merchants' available balances of assets, locked until the transaction ends: no other transaction posts to these
     * ledgers meanwhile. Zero where nothing was ever posted. Call it before `post` in the same transaction.
     */
    async holdAvailable(wanted: readonly AvailableOf[]): Promise<(of: AvailableOf) => bigint> {
      await sql`
        select from ledger_numbers
        where (merchant_id, environment, currency) in (
          select merchant_id, environment, currency
          from json_populate_recordset(null::ledger_numbers, ${availableRows(wanted)}::json))
        order by merchant_id, environment, currency for no key update`.run(db)
      return readAvailable(wanted)
    },

    /** The same at this moment, without locking it. */
    readAvailable,

    /**
     * Posts transactions, in order. The caller has locked its invoices or payouts already: they are always locked before the
     * ledger. `balanceDecimals` gives the decimals of a currency's balance over all its networks.
     */
    async post(
      transactions: readonly NewTransaction[],
      balanceDecimals: (currency: string) => number,
    ): Promise<PostedEntry[]> {
      if (transactions.length === 0) return []
      const named = await accounts(
        transactions.flatMap(({ postings }) => postings.map(({ account }) => account)),
      )
      const idOf = (account: Account): bigint => {
        const stored = named.get(accountName(account))
        if (stored === undefined) throw new Error('A posting names an account that was not created.')
        return stored.id
      }
      const ofMerchants = [...named.values()].filter(({ merchantId }) => merchantId !== null)
      const numbers = await holdNumbers(ofMerchants)
      const balances = new Map(
        (await lock([...named.values()].map(({ id }) => id))).map((account) => [account.id, account]),
      )
      const others = await availableElsewhere(ofMerchants, balances)

      const changes = new Map<bigint, bigint>()
      const entries: (EntryRow & PostedEntry)[] = []
      for (const transaction of transactions) {
        for (const { account, units } of transaction.postings) {
          const id = idOf(account)
          changes.set(id, (changes.get(id) ?? 0n) + units)
          if (account.kind === 'available') entries.push(entry(transaction, account, id, units))
        }
      }
      await insertAll()
      return entries

      function entry(transaction: NewTransaction, account: Account, id: bigint, units: bigint) {
        const { reference } = transaction
        if (reference === null && transaction.entryType !== 'adjustment')
          throw new Error('An entry on a merchant’s account must have a reference.')
        const ledger = ledgerName(account)
        const number = (numbers.get(ledger) ?? 0n) + 1n
        numbers.set(ledger, number)
        const scale = balanceDecimals(account.currency)
        const scaled = (amount: bigint, decimals: number) => amount * 10n ** BigInt(scale - decimals)
        const own = [...balances.values()].filter(
          (held) => held.kind === 'available' && ledgerName(held) === ledger,
        )
        const balanceAfter =
          own.reduce(
            (total, held) => total + scaled(held.balance + (changes.get(held.id) ?? 0n), held.decimals),
            0n,
          ) +
          others
            .filter((held) => ledgerName(held) === ledger)
            .reduce((total, held) => total + scaled(held.balance, held.decimals), 0n)
        return {
          merchantId: account.merchantId as string,
          environment: account.environment,
          currency: account.currency,
          number,
          transactionId: transaction.id,
          accountId: id,
          network: account.network,
          decimals: account.decimals,
          entryType: transaction.entryType,
          subject: transaction.subject,
          units,
          balanceAfter,
          balanceDecimals: scale,
          referenceType: reference?.type ?? null,
          referenceId: reference?.id ?? null,
          description: transaction.description,
        }
      }

      async function insertAll(): Promise<void> {
        await sql`
          insert into ledger_transactions (id, entry_type, subject, occurrence, created_at)
          select id, entry_type, subject, occurrence, ${rowNow} from json_to_recordset(${JSON.stringify(
            transactions.map(({ id, entryType, subject, occurrence, postings }) => ({
              id,
              entry_type: entryType,
              subject,
              occurrence,
              ...ownerOf(postings),
            })),
          )}::json) as posted (id uuid, entry_type text, subject uuid, occurrence integer, merchant_id uuid,
            environment text)`.run(db)
        await sql`
          insert into postings (transaction_id, account_id, units)
          select transaction_id, account_id, units from json_populate_recordset(null::postings, ${JSON.stringify(
            transactions.flatMap(({ id, postings }) =>
              postings.map(({ account, units }) => ({
                transaction_id: id,
                account_id: idOf(account).toString(),
                units: units.toString(),
              })),
            ),
          )}::json)`.run(db)
        await sql`
          update ledger_accounts set balance_units = balance_units + change.units
          from unnest(
            ${[...changes.keys()].map(String)}::bigint[], ${[...changes.values()].map(String)}::numeric[]
          ) as change (id, units) where ledger_accounts.id = change.id`.run(db)
        if (entries.length > 0) await insertEntries(db, entries)
      }
    },

    /** One page of a currency's entries, newest first. */
    async list(
      caller: Caller,
      filter: { currency: string; entryType: string | null } & PageRequest,
    ): Promise<Page<LedgerEntry>> {
      const ofType = filter.entryType === null ? sql`` : sql`and entry.entry_type = ${filter.entryType}`
      const counted = { facet: filter.entryType, currency: filter.currency }
      const wanted = sql`entry.merchant_id = ${caller.merchantId} and entry.environment = ${caller.environment}
        and entry.currency = ${filter.currency} ${ofType}`
      // Finds the page in the index alone, and reads rows only after that.
      const numbers = positionsOf(
        'ledger_entries',
        caller,
        { ...counted, limit: filter.limit, offset: filter.offset },
        { column: 'number', rows: sql`ledger_entries as entry where ${wanted}` },
      )
      const rows = await sql<PageRow<LedgerEntry>>`
        with found as materialized (${numbers})
        select ${totalOf('ledger_entries', caller, counted)} as total,
          entry.number, entry.currency, entry.network, entry.decimals, entry.environment,
          entry.entry_type as "entryType", entry.units, entry.balance_after as "balanceAfter",
          entry.balance_decimals as "balanceDecimals", entry.reference_type as "referenceType",
          entry.reference_id as "referenceId", entry.description, entry.created_at as "createdAt"
        from (select) as one
        left join (found join ledger_entries as entry on entry.number = found.number and ${wanted}) on true
        order by found.number desc`.rows(db)
      return pageFrom(rows, 'number', (entry) => entry)
    },
  }

  /** Balances of the same currencies on networks that are not posted to. The lock on the numbering protects them. */
  async function availableElsewhere(
    ofMerchants: readonly StoredAccount[],
    locked: ReadonlyMap<bigint, StoredAccount>,
  ): Promise<StoredAccount[]> {
    if (ofMerchants.length === 0) return []
    const rows = await sql<StoredAccount>`
      select ${accountColumns} from ledger_accounts
      where kind = 'available' and (merchant_id, environment, currency) in (
        select merchant_id, environment, currency from json_populate_recordset(null::ledger_accounts, ${JSON.stringify(
          ofMerchants.map(accountRow),
        )}::json))`.rows(db)
    return rows.filter(({ id }) => !locked.has(id))
  }
}

/** Whose clock dates a transaction. One that moves no merchant's money has the real time. */
function ownerOf(postings: readonly Posting[]) {
  const own = postings.find(({ account }) => account.merchantId !== null)?.account
  return { merchant_id: own?.merchantId ?? null, environment: own?.environment ?? null }
}

type EntryRow = {
  readonly merchantId: string
  readonly environment: string
  readonly currency: string
  readonly number: bigint
  readonly transactionId: string
  readonly accountId: bigint
  readonly network: string
  readonly decimals: number
  readonly entryType: string
  readonly units: bigint
  readonly balanceAfter: bigint
  readonly balanceDecimals: number
  readonly referenceType: string | null
  readonly referenceId: string | null
  readonly description: string | null
}

async function insertEntries(db: Db, entries: readonly EntryRow[]): Promise<void> {
  const rows = entries.map((entry) => ({
    merchant_id: entry.merchantId,
    environment: entry.environment,
    currency: entry.currency,
    number: entry.number.toString(),
    transaction_id: entry.transactionId,
    account_id: entry.accountId.toString(),
    network: entry.network,
    decimals: entry.decimals,
    entry_type: entry.entryType,
    units: entry.units.toString(),
    balance_after: entry.balanceAfter.toString(),
    balance_decimals: entry.balanceDecimals,
    reference_type: entry.referenceType,
    reference_id: entry.referenceId,
    description: entry.description,
  }))
  await sql`
    with entry as (
      insert into ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network,
        decimals, entry_type, units, balance_after, balance_decimals, reference_type, reference_id, description,
        created_at)
      select merchant_id, environment, currency, number, transaction_id, account_id, network, decimals, entry_type,
        units, balance_after, balance_decimals, reference_type, reference_id, description, ${rowNow}
      from json_populate_recordset(null::ledger_entries, ${JSON.stringify(rows)}::json)
      returning merchant_id, environment, currency, number
    )
    update ledger_numbers set last_number = newest.number
    from (select merchant_id, environment, currency, max(number) as number from entry group by 1, 2, 3) as newest
    where ledger_numbers.merchant_id = newest.merchant_id and ledger_numbers.environment = newest.environment
      and ledger_numbers.currency = newest.currency`.run(db)
}

function availableRows(wanted: readonly AvailableOf[]): string {
  return JSON.stringify(
    wanted.map(({ merchantId, environment, network, currency }) => ({
      kind: 'available',
      merchant_id: merchantId,
      environment,
      network,
      currency,
    })),
  )
}

function accountRow(account: Account | StoredAccount) {
  const { kind, merchantId, environment, network, currency, decimals } = account
  return { kind, merchant_id: merchantId, environment, network, currency, decimals }
}

function byName(a: Account, b: Account): number {
  return compare(accountName(a), accountName(b))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
