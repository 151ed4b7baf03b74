import { mnemonicToSeedSync } from '@scure/bip39'
import { expect } from 'vitest'
import { moveToCold } from '../../../src/app/spends/cold/move-to-cold.ts'
import { bitcoin } from '../../../src/domain/networks/bitcoin.ts'
import type { BitcoinChain } from '../../../src/domain/networks/bitcoin-rules.ts'
import type { GateId } from '../../../src/domain/networks/network.ts'
import { bitcoinAccountKey } from '../../../src/gates/bitcoin/account-key.ts'
import { bitcoinColdWallet } from '../../../src/gates/bitcoin/cold-key.ts'
import { query } from '../database/database.ts'
import { hurry, mineForNext } from './money-out.ts'
import type { TestService } from './service.ts'
import type { Shop } from './shop.ts'

/** The operator's own words, which no process of the service ever sees. */
export const operatorsSeed = mnemonicToSeedSync(
  'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
)
export const coldAccount = '0x52908400098527886E0F7030069857D2E4169EE7'

/** The extended public key of the operator's cold wallet. */
export function coldKeyOn(chain: BitcoinChain): string {
  return bitcoinAccountKey(operatorsSeed, bitcoin, chain)
}

export function coldAddressAt(index: number, chain: BitcoinChain = 'test'): string {
  const cold = bitcoinColdWallet(bitcoin.rules[chain], coldKeyOn(chain))
  return 'refused' in cold ? '' : (cold.addressAt(index) ?? '')
}

/** Every attempt of every move to the cold wallet of a gate, oldest first. */
export async function coldAttempts({ database }: TestService, gateId: string) {
  return query(
    database.url,
    `select spends.id, spends.status, attempt, plan, t.tx_hash as hash, max_fee_units::text as fee, sent_at, refusal,
       fee_units::text as took
     from spends join spend_transactions as t on t.spend_id = spends.id
     where kind = 'cold' and gate_id = $1 order by spends.created_at, attempt`,
    [gateId],
  )
}

type Attempt = Awaited<ReturnType<typeof coldAttempts>>[number]

/** Returns the newest attempt of the open move once it was sent to the network. */
export async function untilColdSent(service: TestService, gateId: string, attempt = 1): Promise<Attempt> {
  const newest = async () => (await coldAttempts(service, gateId)).at(-1)
  await expect
    .poll(async () => {
      await nudge(service, gateId)
      await hurry(service)
      const found = await newest()
      return found?.status === 'open' && found.sent_at !== null ? found.attempt : (found?.refusal ?? null)
    })
    .toBe(attempt)
  return (await newest()) as Attempt
}

/** Does what the worker's loop does every few seconds. */
async function nudge({ app }: TestService, gateId: string): Promise<void> {
  const [gate, policy] = [app.gates.find(gateId), app.spending.cold.get(gateId as GateId)]
  if (gate !== null && policy !== undefined) await moveToCold(app, gate, policy)
}

/** Mines until a spend has the expected status. */
export async function untilEnded(shop: Shop, network: string, id: string, status: string): Promise<void> {
  await expect
    .poll(async () => {
      if (!(await mineForNext(shop, network))) await shop.mine(1, network)
      await hurry(shop.service)
      return (await shop.service.app.store.spends.find(id))?.status
    })
    .toBe(status)
}

/** The balance of a platform's account, in units. */
export async function platformBalance(
  { database }: TestService,
  kind: string,
  network: string,
  currency: string,
): Promise<bigint> {
  const [row] = await query(
    database.url,
    `select coalesce(sum(balance_units), 0)::text as units from ledger_accounts
     where kind = $1 and network = $2 and currency = $3`,
    [kind, network, currency],
  )
  return BigInt(row?.units)
}
