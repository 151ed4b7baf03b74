import { ceilingOf } from '../../src/domain/spending-limits.ts'
import type { SignerLimits } from '../../src/signer/check-limits.ts'
import type { Random } from '../simulation/random.ts'
import { altered, alteredDeep, dearer, freshUses, kinds, misstated, type Plan, toThief } from './forgeries.ts'
import { inventions } from './inventions.ts'
import { asStored, withOneLie } from './lies.ts'
import { hashOf, uuidOf } from './names.ts'
import { type ForgeryOptions, passkeyForgeries } from './passkey-forgeries.ts'
import type { Prepared } from './prepared.ts'
import type { Row } from './rows.ts'

/** What the signer reads most. */
export const tables = {
  spend_transactions: 10,
  spends: 6,
  payouts: 8,
  payout_approvals: 6,
  payments: 3,
  previous_transactions: 2,
  change_coins: 1,
  payout_policies: 2,
  payout_destinations: 1,
  passkey_enrolments: 3,
  passkey_statements: 2,
  passkey_pins: 1,
  passkey_demands: 1,
  signer_changes: 1,
  deposit_addresses: 1,
  own_addresses: 1,
  followed_chains: 1,
  memberships: 1,
  users: 1,
  merchants: 1,
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

export type AdversaryOptions = ForgeryOptions & {
  readonly limits: SignerLimits
  /** Everything that the service has planned in this seed, or will. */
  readonly spends: () => readonly Prepared[]
}

/** Changes a database so that money goes astray. Everything it does follows from the random numbers. */
export function createAdversary({ limits, spends, ...options }: AdversaryOptions) {
  const { rows, desk, thief, coinNetwork } = options
  const { attempt, insert, put } = rows
  const gates = { coins: `${coinNetwork}-live`, account: 'ethereum-live', solana: 'solana-live' } as const
  const thiefOn = (network: unknown) => {
    if (network === 'solana') return thief.solana
    return network === coinNetwork ? thief.coins : thief.account
  }
  const kept: { readonly table: string; readonly row: Row }[] = []
  const passkeys = passkeyForgeries(options)
  const coins = () => spends().flatMap((each) => each.coins)
  const { invent, transferTo, coinsTo, solanaTo, dearOnSolana } = inventions(rows, desk, coins)

  /** Has the signer look at another attempt of a spend. */
  const addTo = (row: Row, number: number, plan: unknown) =>
    insert('spend_transactions', { ...row, attempt: number, plan, ...unsigned })

  /** A payout and its spend once more, with other coins or another nonce. The payout is not inserted yet. */
  async function copyPayout(random: Random, rewrite: (text: string, payout: Row) => string) {
    const found = await rows.some(random, 'payouts')
    const [planned] = await attempt(
      `select plan, kind, gate_id from spend_transactions join spends on id = spend_id where spend_id::text = $1
       order by attempt limit 1`,
      [`${found?.row.spend_id}`],
    )
    if (found === null || planned === undefined) return null
    const { plan, payout } = JSON.parse(
      rewrite(JSON.stringify({ plan: planned.plan, payout: found.row }), found.row),
    )
    const spendId = await invent(
      random,
      `${planned.kind}`,
      `${planned.gate_id}`,
      freshUses(random, plan, coins()),
    )
    return {
      old: found.row,
      payout: { ...payout, spend_id: spendId, position: random.between(1e6, 1e9) } as Row,
      spendId,
    }
  }

  /** A kind of plans that the service has made here, so that the ground has the network for it. */
  function someFamily(random: Random): keyof typeof gates {
    const found = [...new Set(spends().map(({ plan }) => plan.kind))]
    return found[random.below(found.length)] ?? 'account'
  }

  const attacks = {
    /** Changes a column, to the value of another row or to something else. */
    async change(random: Random) {
      const table = random.weighted(tables)
      const [target, other] = [await rows.some(random, table), await rows.some(random, table)]
      const names = rows.columnsOf(table)
      const name = names[random.below(names.length)]
      if (target === null || name === undefined) return
      const value = random.bool(0.3) ? other?.row[name] : altered(random, thief, name, target.row[name])
      await put(table, target.ctid, { [name]: value ?? null })
    },

    /** Changes something inside a plan, and has it signed again. */
    async changePlan(random: Random) {
      const found = await rows.some(random, 'spend_transactions')
      if (found === null) return
      const plan = alteredDeep(random, thief, found.row.plan)
      await put('spend_transactions', found.ctid, { plan, ...(random.bool(0.5) && unsigned) })
    },

    /** Adds another attempt with an altered plan. */
    async addAttempt(random: Random) {
      const found = await rows.some(random, 'spend_transactions')
      if (found === null) return
      const { row } = found
      const plan = random.bool(0.7) ? alteredDeep(random, thief, row.plan) : row.plan
      await addTo(row, random.between(2, 9), plan)
    },

    /** Has a payout go to the attacker, with approvals and a plan that match. */
    async redirect(random: Random) {
      const found = await rows.some(random, 'payouts')
      if (found === null) return
      const { row } = found
      const to = thiefOn(row.network)
      const units = `${BigInt(`${row.amount_units}`) * (random.bool(0.5) ? 50n : 1n)}`
      await put('payouts', found.ctid, { destination: to, amount_units: units })
      const hash = hashOf({ ...row, destination: to, amount_units: units })
      await attempt(
        `update payout_approvals set approval_hash = $2, covered_hashes = array[$2] where payout_id = $1`,
        [row.id, hash],
      )
      await attempt(
        `update spend_transactions set plan = replace(replace(plan::text, $2, $3), $4, $5)::jsonb where spend_id = $1`,
        [row.spend_id, `${row.destination}`, to, `"${row.amount_units}"`, `"${units}"`],
      )
    },

    /** Has a payout that was signed pay the attacker by another, dearer attempt. */
    async redirectAgain(random: Random) {
      await attacks.redirect(random)
      const found = await rows.some(random, 'spend_transactions')
      if (found === null) return
      const plan = dearer(found.row.plan as Plan)
      await addTo(found.row, random.between(2, 9), random.bool(0.5) ? freshUses(random, plan, coins()) : plan)
    },

    /** Misstates one coin in each of two attempts. Their witnesses together would give what is missing to miners. */
    async misstate(random: Random) {
      const found = await rows.some(random, 'spend_transactions', `jsonb_array_length(plan->'inputs') = 2`)
      if (found === null) return
      for (const at of [0, 1]) await addTo(found.row, 20 + at, misstated(found.row.plan as Plan, at))
    },

    /** Has a planned transaction pay the attacker instead, or adds an attempt that does. */
    async steal(random: Random) {
      const found = await rows.some(random, 'spend_transactions', 'bytes is null')
      if (found === null) return
      const plan = toThief(random, found.row.plan as Plan, thief)
      if (random.bool(0.5)) await put('spend_transactions', found.ctid, { plan })
      else await addTo(found.row, random.between(2, 9), plan)
      if (random.bool(0.3)) await attacks.claimAddress(random)
    },

    /** Tells a single lie in each of some plans that are right otherwise. */
    async lie(random: Random) {
      for (let n = random.between(1, 3); n > 0; n--) {
        const { spendId, plan } = spends()[random.below(spends().length)] as Prepared
        const lying = withOneLie(random, asStored(plan), desk, thief)
        const [row] = await attempt(
          'select ctid::text from spend_transactions where spend_id = $1 and attempt = 1',
          [spendId],
        )
        if (row !== undefined && random.bool(0.5))
          await put('spend_transactions', `${row.ctid}`, { plan: lying, ...unsigned })
        else await addTo({ spend_id: spendId, max_fee_units: '1000' }, random.between(2, 9), lying)
      }
      if (random.bool(0.3)) await attacks.claimAddress(random)
    },

    /** Has the attacker's address count as a deposit address of ours. */
    async claimAddress(random: Random) {
      await insert('deposit_addresses', {
        keychain: 'evm-live',
        position: random.between(0, 9),
        address: thief.account,
      })
    },

    /** Invents a spend that pays the attacker. */
    async invent(random: Random) {
      const kind = random.pick(kinds)
      const [payout] = spends().flatMap(({ payouts }) => payouts)
      const payoutId = random.bool(0.3) ? (payout?.id ?? null) : null
      if (kind === 'gas') await attacks.claimAddress(random)
      const family = someFamily(random)
      const plan = {
        coins: () => coinsTo(random, thief.coins, 1_000n, payoutId),
        account: () => transferTo(random, thief.account, { payoutId }),
        solana: () => solanaTo(random, thief.solana, { payoutId }),
      }[family]()
      const id = await invent(random, kind, gates[family], plan)
      if (kind === 'payout' && payout !== undefined && random.bool(0.7))
        await attempt('update payouts set spend_id = $2 where id = $1', [payout.id, id])
    },

    /** Has transactions that pay no one cost as much as one may, or more. */
    async burn(random: Random) {
      const family = someFamily(random)
      const network = {
        coins: coinNetwork,
        account: random.pick(['ethereum', 'base', 'base']),
        solana: 'solana',
      }[family]
      const most = ceilingOf(limits.maxFees, network)
      const fee = (most * random.pick([2n, 2n, 2n, 3n, 4n, 90n])) / 2n
      const hidden = random.bool(0.3) ? { dataFeeUnits: `${1_000n - fee}` } : {}
      const own = { chain: 'own', index: 0 } as const
      const key = random.bool(0.3) ? own : ({ chain: 'deposit', index: 0 } as const)
      // A spend for payouts that has none.
      const ofCoins = random.pick(['consolidation', 'consolidation', 'payout'])
      let spendId: string | null = null
      for (let number = 1; number <= 5; number++) {
        const to = desk.wallet.addressAt(network, own) ?? ''
        const from = { address: desk.wallet.addressAt(network, key), key }
        const dear = { from, gasPrice: `${fee / 21_000n}`, ...hidden, units: key === own ? '0' : '5' }
        const [kind, plan] = {
          coins: () => [ofCoins, coinsTo(random, to, fee, null)] as const,
          account: () => [key === own ? 'fill' : 'sweep', transferTo(random, to, dear)] as const,
          solana: () => dearOnSolana(random, to, fee),
        }[family]()
        // Of the attempts of one spend only the dearest counts, so they must rule each other out.
        if (spendId === null || random.bool(0.5))
          spendId = await invent(random, kind, `${network}-live`, plan)
        else await addTo({ spend_id: spendId, max_fee_units: '1000' }, number, plan)
      }
    },

    /** Repeats an approved payout under another id, or in another spend, with its approvals. */
    async replay(random: Random) {
      const isRenamed = random.bool(0.5)
      const copy = await copyPayout(random, (text, { id }) =>
        isRenamed ? text.replaceAll(`${id}`, uuidOf(random)) : text,
      )
      if (copy === null) return
      const { old, payout, spendId } = copy
      if (!isRenamed) {
        await attempt('update payouts set spend_id = $2 where id = $1', [old.id, spendId])
        return
      }
      const approvals = await attempt(
        'select to_jsonb(a) as row from payout_approvals as a where payout_id = $1',
        [old.id],
      )
      await insert('payouts', payout)
      for (const { row } of approvals)
        await insert('payout_approvals', {
          ...(row as Row),
          payout_id: payout.id,
          ...(random.bool(0.5) && { approval_hash: hashOf(payout) }),
        })
    },

    /** Makes a payout to itself that is like an approved one, and approves it with its own passkey. */
    async payItself(random: Random) {
      const copy = await copyPayout(random, (text, { id, destination, network }) =>
        text.replaceAll(`${id}`, uuidOf(random)).replaceAll(`${destination}`, thiefOn(network)),
      )
      if (copy === null) return
      if (random.bool(0.8)) await passkeys.add(random)
      await insert('payouts', copy.payout)
      await passkeys.approvePayout(random, copy.payout)
    },

    /** Exchanges what two rows of a table say. */
    async swap(random: Random) {
      const [table, name] = random.pick<readonly [string, string]>([
        ['spend_transactions', 'plan'],
        ['spends', 'kind'],
        ['spends', 'gate_id'],
        ['payouts', 'spend_id'],
        ['payout_approvals', 'payout_id'],
        ['previous_transactions', 'bytes'],
      ])
      const [one, other] = [await rows.some(random, table), await rows.some(random, table)]
      if (one === null || other === null) return
      await put(table, one.ctid, { [name]: other.row[name] })
      await put(table, other.ctid, { [name]: one.row[name] })
    },

    /** Deletes a row, or puts back one that it has kept. */
    async forgetOrRestore(random: Random) {
      const table = random.weighted(tables)
      const found = await rows.some(random, table)
      if (found !== null) {
        kept.push({ table, row: found.row })
        if (random.bool(0.5)) await attempt(`delete from ${table} where ctid = $1::tid`, [found.ctid])
      }
      const old = kept[random.below(kept.length)]
      if (old !== undefined && random.bool(0.5)) await insert(old.table, old.row)
    },

    addPasskey: passkeys.add,
    restate: passkeys.restate,
    loosen: passkeys.loosen,
    approve: (random: Random) => passkeys.approve(random),
  }

  return {
    async act(random: Random): Promise<string> {
      const what = random.weighted({
        change: 8,
        changePlan: 6,
        addAttempt: 5,
        redirect: 4,
        redirectAgain: 5,
        misstate: 3,
        burn: 5,
        steal: 2,
        lie: 16,
        invent: 7,
        replay: 6,
        payItself: 4,
        swap: 3,
        claimAddress: 1,
        forgetOrRestore: 3,
        addPasskey: 3,
        restate: 3,
        loosen: 4,
        approve: 2,
      })
      await attacks[what](random)
      return what
    },
  }
}

export type Adversary = ReturnType<typeof createAdversary>
