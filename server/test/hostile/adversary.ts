import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { challengeOf, type PasskeyStatement, statementText } from '../../src/domain/passkey-statements.ts'
import { noPolicy } from '../../src/domain/payout-policy.ts'
import { approvalHash } from '../../src/domain/payouts.ts'
import type { Random } from '../simulation/random.ts'
import { makePasskey } from '../support/people/approving-passkey.ts'
import type { PasskeyDesk } from '../support/people/passkey-desk.ts'
import { altered, alteredDeep, dearer, freshUses, misstated, type Plan, thief } from './forgeries.ts'

/** What the signer reads most, and everything else at times. */
const tables = {
  spend_transactions: 10,
  spends: 6,
  payouts: 8,
  payout_approvals: 6,
  payments: 3,
  change_coins: 1,
  payout_policies: 2,
  payout_destinations: 1,
  passkey_enrolments: 3,
  passkey_statements: 2,
  passkey_pins: 1,
  deposit_addresses: 1,
  own_addresses: 1,
  followed_chains: 1,
  memberships: 1,
  users: 1,
  wallet_keys: 1,
  outside_moves: 1,
} as const

/** What the signer sees of an attempt that it has not answered. */
const unsigned = {
  bytes: null,
  tx_hash: null,
  signed_at: null,
  sent_at: null,
  last_sent_at: null,
  refusal: null,
  refused_for_good_at: null,
}

type Row = { readonly ctid: string; readonly row: Record<string, unknown> }

/**
 * An attacker with the rights of PostgreSQL's superuser: no trigger, reference or grant is in the way. Everything it does
 * follows from the random numbers.
 */
export async function openAdversary(url: string, desk: PasskeyDesk) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set session_replication_role = replica')
  const { rows: columns } = await client.query<{ table: string; name: string; type: string }>(
    `select table_name as table, column_name as name, udt_name as type from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' and table_name = any ($1)`,
    [Object.keys(tables)],
  )
  const passkey = makePasskey()
  const userId = randomUUID()
  const kept: { readonly table: string; readonly row: Record<string, unknown> }[] = []

  let changes = 0
  /** A value that the schema refuses changes nothing. Any other error is a mistake of ours. */
  async function attempt(statement: string, values: readonly unknown[] = []) {
    try {
      const { rows, rowCount, command } = await client.query(statement, [...values])
      if (command !== 'SELECT') changes += rowCount ?? 0
      return rows
    } catch (error) {
      if (/^(2[123]|428C9)/.test((error as pg.DatabaseError).code ?? '')) return []
      throw error
    }
  }

  /** One of the newest rows, as JSON. */
  async function someRow(random: Random, table: string): Promise<Row | null> {
    const rows = await attempt(
      `select ctid::text, to_jsonb(t) as row from ${table} as t order by ctid desc offset $1 limit 1`,
      [random.below(6)],
    )
    return (rows[0] as Row | undefined) ?? null
  }

  const put = (table: string, ctid: string, column: string, value: unknown) =>
    attempt(
      `update ${table} set ${column} = (jsonb_populate_record(null::${table}, $2::jsonb)).${column} where ctid = $1::tid`,
      [ctid, JSON.stringify({ [column]: value })],
    )

  /** Columns that the row does not name get their defaults. */
  function insert(table: string, row: Record<string, unknown>) {
    const named = columns
      .filter((column) => column.table === table && Object.hasOwn(row, column.name))
      .map(({ name }) => name)
      .join(', ')
    return attempt(
      `insert into ${table} (${named}) overriding system value
       select ${named} from jsonb_populate_record(null::${table}, $1::jsonb)`,
      [JSON.stringify(row)],
    )
  }

  /** Has the signer look at another attempt of a spend. */
  const addTo = (row: Record<string, unknown>, number: number, plan: unknown) =>
    insert('spend_transactions', { ...row, attempt: number, plan, ...unsigned })

  const attacks = {
    /** Changes a column, to the value of another row or to something else. */
    async change(random: Random) {
      const table = random.weighted(tables)
      const [target, other] = [await someRow(random, table), await someRow(random, table)]
      const own = columns.filter((each) => each.table === table)
      const column = own[random.below(own.length)]
      if (target === null || column === undefined) return
      const value = random.bool(0.3)
        ? other?.row[column.name]
        : altered(random, column.name, target.row[column.name])
      await put(table, target.ctid, column.name, value)
    },

    /** Changes something inside a plan, and has it signed again. */
    async changePlan(random: Random) {
      const found = await someRow(random, 'spend_transactions')
      if (found === null) return
      await put('spend_transactions', found.ctid, 'plan', alteredDeep(random, found.row.plan))
      if (random.bool(0.5)) {
        const again = await someRow(random, 'spend_transactions')
        const cleared = Object.keys(unsigned).map((column) => `${column} = null`)
        await attempt(`update spend_transactions set ${cleared.join(', ')} where ctid = $1::tid`, [
          again?.ctid,
        ])
      }
    },

    /** Adds another attempt with an altered plan. */
    async addAttempt(random: Random) {
      const found = await someRow(random, 'spend_transactions')
      if (found === null) return
      const { row } = found
      await addTo(row, random.between(2, 9), random.bool(0.7) ? alteredDeep(random, row.plan) : row.plan)
    },

    /** Has a payout go to the attacker, with approvals and a plan that match. */
    async redirect(random: Random) {
      const found = await someRow(random, 'payouts')
      if (found === null) return
      const to = found.row.network === 'bitcoin' ? thief.bitcoin : thief.ethereum
      await put('payouts', found.ctid, 'destination', to)
      if (random.bool(0.5))
        await attempt('update payouts set amount_units = amount_units * 50 where id = $1', [found.row.id])
      const payout = await desk.find(`${found.row.id}`).catch(() => null)
      if (payout === null) return
      await attempt('update payout_approvals set approval_hash = $2 where payout_id = $1', [
        payout.id,
        approvalHash(payout),
      ])
      await attempt(
        `update spend_transactions set plan = replace(replace(plan::text, $2, $3), $4, $5)::jsonb
         where spend_id = (select spend_id from payouts where id = $1)`,
        [payout.id, `${found.row.destination}`, to, `"${found.row.amount_units}"`, `"${payout.amountUnits}"`],
      )
    },

    /** Has a payout that was signed pay the attacker by another, dearer attempt. */
    async redirectAgain(random: Random) {
      await attacks.redirect(random)
      const found = await someRow(random, 'spend_transactions')
      if (found === null) return
      const { row } = found
      await addTo(
        row,
        random.between(2, 9),
        random.bool(0.5) ? freshUses(random, dearer(row.plan as Plan)) : dearer(row.plan as Plan),
      )
    },

    /** Misstates one coin in each of two attempts. Their witnesses together would give what is missing to miners. */
    async misstate() {
      const [found] = await attempt(
        `select to_jsonb(t) as row from spend_transactions as t where jsonb_array_length(plan->'inputs') = 2
         order by ctid desc limit 1`,
      )
      if (found === undefined) return
      const { row } = found
      const plan = row.plan as Plan
      for (const at of [0, 1]) await addTo(row, 20 + at, misstated(plan, at))
    },

    /** Has a transaction between our own addresses pay the attacker instead. */
    async steal() {
      await attempt(
        `update spend_transactions as t set plan = replace(plan::text, address, case kind when 'account' then $2 else $1 end)::jsonb
         from (
           select t.ctid as place, plan->>'kind' as kind,
             coalesce(plan->'to'->>'address', plan->'outputs'->0->>'address') as address
           from spend_transactions as t join spends on spends.id = spend_id
           where spends.kind <> 'payout' and bytes is null order by t.ctid desc limit 1
         ) as found
         where t.ctid = place`,
        [thief.bitcoin, thief.ethereum],
      )
    },

    /** Has a transaction that pays no one cost as much as it can. */
    async burn(random: Random) {
      const [found] = await attempt(
        `select to_jsonb(t) as row, t.ctid::text from spend_transactions as t join spends on spends.id = spend_id
         where spends.kind <> 'payout' and plan->>'kind' = 'account' order by t.ctid desc limit 1`,
      )
      if (found === undefined) return
      const { row } = found
      const price = `${10n ** BigInt(random.between(10, 16))}`
      await addTo(row, random.between(2, 30), {
        ...row.plan,
        gasPrice: price,
        ...(random.bool(0.5) && { nonce: `${random.between(1_000, 1e6)}` }),
        ...(random.bool(0.3) && { dataFeeUnits: `-${BigInt(price) * 21_000n}` }),
      })
    },

    /** Repeats an approved payout under another id, with its approvals and a spend of its own. */
    async replay(random: Random) {
      const found = await someRow(random, 'payouts')
      if (found === null) return
      const [id, spendId] = [randomUUID(), randomUUID()]
      const [spend] = await attempt('select to_jsonb(s) as row from spends as s where id = $1', [
        found.row.spend_id,
      ])
      const [planned] = await attempt(
        'select to_jsonb(t) as row from spend_transactions as t where spend_id = $1',
        [found.row.spend_id],
      )
      if (spend === undefined || planned === undefined) return
      const renamed = (row: unknown) =>
        JSON.parse(
          JSON.stringify(row).replaceAll(`${found.row.id}`, id).replaceAll(`${found.row.spend_id}`, spendId),
        )
      const approvals = await attempt(
        'select to_jsonb(a) as row from payout_approvals as a where payout_id = $1',
        [found.row.id],
      )
      await insert('payouts', { ...renamed(found.row), position: random.between(1e6, 1e9) })
      for (const { row } of approvals) await insert('payout_approvals', renamed(row))
      await insert('spends', { ...renamed(spend.row), position: random.between(1e6, 1e9) })
      const transaction = renamed(planned.row)
      await insert('spend_transactions', {
        ...transaction,
        plan: freshUses(random, transaction.plan),
        ...unsigned,
      })
    },

    /** Deletes a row, or puts back one that it has kept. */
    async forgetOrRestore(random: Random) {
      const table = random.weighted(tables)
      const found = await someRow(random, table)
      if (found !== null) {
        kept.push({ table, row: found.row })
        if (random.bool(0.5)) await attempt(`delete from ${table} where ctid = $1::tid`, [found.ctid])
      }
      const old = kept[random.below(kept.length)]
      if (old !== undefined && random.bool(0.5)) await insert(old.table, old.row)
    },

    /** Gives itself a passkey, and states with it what weakens the signer. */
    async addPasskey(random: Random) {
      const { merchantId } = desk
      await insert('users', { id: userId, email: `${userId}@thief.example`, name: 'Thief' })
      await insert('memberships', { merchant_id: merchantId, user_id: userId, role: 'owner' })
      const { credentialId, publicKey } = passkey
      await desk.offer({ userId, passkey }).catch(() => {})
      const statements: readonly PasskeyStatement[] = [
        { kind: 'trust_passkey', merchantId, userId, credentialId, publicKey },
        {
          kind: 'policy',
          environment: 'live',
          merchantId,
          baseCurrency: 'USD',
          policy: noPolicy,
          at: new Date(),
        },
      ]
      const said = statements[random.below(statements.length)]
      if (said === undefined) return
      const text = statementText(said)
      const assertion = passkey.answer(challengeOf(text))
      await desk.app.store.passkeyEnrolments.state(randomUUID(), merchantId, text, assertion).catch(() => {})
    },

    /** Approves payouts with its own passkey, or as users without one. */
    async approve() {
      const rows = await attempt(`select id from payouts where merchant_id = $1 order by ctid desc limit 3`, [
        desk.merchantId,
      ])
      for (const { id } of rows) {
        const payout = await desk.find(`${id}`).catch(() => null)
        if (payout === null) continue
        await desk.approveWith({ userId, passkey }, payout).catch(() => {})
        await desk.approve(payout, `user:${randomUUID()}`).catch(() => {})
      }
    },
  }

  return {
    async act(random: Random): Promise<string> {
      const what = random.weighted({
        change: 10,
        changePlan: 8,
        addAttempt: 6,
        redirect: 5,
        redirectAgain: 4,
        misstate: 2,
        burn: 3,
        steal: 3,
        replay: 3,
        forgetOrRestore: 4,
        addPasskey: 1,
        approve: 2,
      })
      await attacks[what](random)
      return what
    },
    /** How many rows it has changed. */
    changes: () => changes,
    close: () => client.end(),
  }
}

export type Adversary = Awaited<ReturnType<typeof openAdversary>>
