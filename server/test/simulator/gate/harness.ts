import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { DepositAddress } from '../../../src/gates/family.ts'
import type { Gate } from '../../../src/gates/gate.ts'
import { solanaDepositAddress } from '../../../src/gates/solana/deposit-key.ts'
import {
  type SimulatedChains,
  simulatedChainOf,
  simulatedChainsOn,
} from '../../../src/simulator/chain/chains.ts'
import { simulatedGate } from '../../../src/simulator/gate/gate.ts'
import { transactionMaker } from '../../../src/simulator/gate/make-transaction.ts'
import { testAssets } from '../../../src/simulator/gate/test-assets.ts'
import { testFamily } from '../../../src/simulator/gate/test-families.ts'
import { testReader } from '../../../src/simulator/gate/test-readers.ts'
import type { Database } from '../../../src/store/database.ts'
import type { GateHarness, Paid } from '../../gates/harness.ts'
import { watching } from '../../gates/watch.ts'
import { createTestDatabase, runSql } from '../../support/database/database.ts'
import { openTestDatabase } from '../../support/database/open-database.ts'
import { currencies, networks } from '../../support/shop/registry.ts'
import { publicKeys, seed } from './keys.ts'
import { makePurse, pursesCoins } from './purse.ts'

/** A simulated network in a database of its own. */
export async function simulatedHarness(
  networkId: string,
  stranger: DepositAddress,
): Promise<GateHarness & { readonly chains: SimulatedChains }> {
  const network = networks.find(({ id }) => id === networkId)
  if (network === undefined) throw new Error(`There is no network ${networkId}.`)
  const test = await createTestDatabase()
  const databaseName = test.url.slice(test.url.lastIndexOf('/') + 1)
  const family = testFamily(network, publicKeys, currencies)

  const makeTransaction = transactionMaker(network, randomBytes)

  const open = (): { database: Database; gate: Gate } => {
    const database = openTestDatabase(test.url, 4)
    const chain = simulatedChainOf(simulatedChainsOn(database.db), `${network.id}-test`)
    const assets = testAssets(currencies, network)
    return {
      database,
      gate: simulatedGate({
        network,
        assets,
        family,
        chain,
        reader: testReader(network, currencies),
        makeTransaction,
      }),
    }
  }
  let opened = open()
  let purses = 0

  const chains = () => simulatedChainsOn(opened.database.db)
  const submission = (paid: readonly Paid[]) => ({
    outputs: paid.map(({ to, currency, units }) => ({ ...to, currency, units })),
    makeTransaction,
  })

  return {
    get gate() {
      return opened.gate
    },
    get chains() {
      return chains()
    },
    deposit: (index) => family.depositAddress(index) ?? solanaDepositAddress(seed, index),
    stranger,
    watch: watching,
    pay: (paid) => chains().submit(opened.gate.id, { feeUnits: 10n, ...submission(paid) }),
    async mine(count) {
      await chains().mine(opened.gate.id, count)
    },
    async reorganise(depth, { drop = [], others = 'same_height' } = {}) {
      await chains().reorganise(opened.gate.id, depth, drop, { others })
    },
    async replace(txHash, paid) {
      const replaced = await chains().transaction(opened.gate.id, txHash)
      if (replaced === null) throw new Error(`There is no transaction ${txHash}.`)
      const { uses, feeUnits } = replaced
      const [coin = ''] = uses
      return chains().submit(opened.gate.id, { coin, feeUnits: feeUnits + 1n, ...submission(paid) })
    },
    async purse() {
      // Far from the addresses that tests pay to.
      const index = 1_000 + purses++
      const { sender } = makePurse(opened.gate, index, 0n)
      const purse = makePurse(opened.gate, index, await opened.gate.nextNonce(sender))
      for (let coin = 0; coin < pursesCoins; coin++)
        purse.coins.push(
          await chains().submit(opened.gate.id, { feeUnits: 10n, ...submission([purse.coin]) }),
        )
      await chains().mine(opened.gate.id, 1)
      return purse
    },
    stop: () =>
      runSql(
        inject('postgresUrl'),
        `alter database ${databaseName} connection limit 0`,
        // Not PostgreSQL's own maintenance processes, which only a superuser may end.
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${databaseName}' and usename = current_user`,
      ),
    async start() {
      await runSql(inject('postgresUrl'), `alter database ${databaseName} connection limit -1`)
      await untilAnswered(opened.database)
    },
    async restart() {
      await opened.database.close()
      opened = open()
    },
    async close() {
      await opened.database.close()
      await test.drop()
    },
  }
}

const maxTries = 100

// An ended connection is noticed when it is used, unless its end was noticed before.
async function untilAnswered({ pool }: Database): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await pool.query('select 1')
      return
    } catch (error) {
      if (tries >= maxTries) throw error
    }
  }
}
