import { createAddressProofs } from '../../src/app/addresses/address-proofs.ts'
import { checkNewest } from '../../src/app/addresses/check-newest.ts'
import type { App } from '../../src/app/app.ts'
import { auditEverything } from '../../src/app/audit/audit-everything.ts'
import { doJobs } from '../../src/app/chain/do-jobs.ts'
import { followChain } from '../../src/app/chain/follow-chain.ts'
import { invoiceCreator } from '../../src/app/invoices/create-invoice.ts'
import { createMerchant } from '../../src/app/merchants/create-merchant.ts'
import { reportsTo } from '../../src/app/reports.ts'
import { createAddress } from '../../src/app/static-addresses/create-address.ts'
import { createProver, type Prover } from '../../src/domain/address-proofs.ts'
import type { Caller } from '../../src/domain/caller.ts'
import { coinName } from '../../src/domain/uses.ts'
import { type Gate, nativeOf, type Output } from '../../src/gates/gate.ts'
import { MemoryChain } from '../simulation/chain.ts'
import { randomOf } from '../simulation/random.ts'
import { type Chains, depositAddressOf, firstHeight, networkIds, openStage } from '../simulation/stage.ts'
import { asSuperuser, onDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { networkOf } from '../support/shop/registry.ts'
import { databaseOf } from './prepared.ts'

export const depositNetworks = ['bitcoin', 'ethereum'] as const
export type DepositNetwork = (typeof depositNetworks)[number]

/** Where payers were told to pay. */
export type Asked = {
  readonly network: DepositNetwork
  readonly currency: string
  readonly units: bigint
  readonly address: string
  readonly merchantId: string
}

const currenciesOf = { bitcoin: ['BTC'], ethereum: ['ETH', 'USDT'] } as const
const nothing = {
  currency: null,
  network: null,
  amount: null,
  amountFiat: null,
  fiatCurrency: null,
  deferred: null,
  description: null,
  externalId: null,
  metadata: null,
  redirectUrl: null,
  expiresIn: null,
  idempotencyKey: null,
}
const amounts = { BTC: '0.001', ETH: '0.01', USDT: '12' } as const

/** Chains in memory that all begin with the same blocks, so that a database can follow one after the other. */
export function newChain(network: DepositNetwork): MemoryChain {
  const { confirmations } = networkOf(network)
  return new MemoryChain({
    random: randomOf(depositNetworks.indexOf(network)),
    now: () => new Date(),
    confirmations,
    height: firstHeight,
  })
}

export type DepositChains = Readonly<Record<DepositNetwork, MemoryChain>>

/**
 * A service that credits deposits on chains in memory, with proofs of its addresses. It asks them what it asks of real nodes
 * as well: which coins are unspent, and what its accounts hold.
 */
export async function openDepositStage(database: TestDatabase) {
  const name = databaseOf(database.url)
  const superuserUrl = onDatabase(asSuperuser(database.url), name)
  // Nothing here outlives its seed.
  await query(asSuperuser(database.url), `alter database ${name} set synchronous_commit = off`)
  const stage = await openStage(superuserUrl)
  const prover = quickProver()
  const derive = (keychain: string, position: number) =>
    depositAddressOf(keychain === 'evm-test' ? 'ethereum' : 'bitcoin', position)
  await stage.reset(randomOf(0))
  await followFromStart(database.url)
  await prove(superuserUrl, prover)

  /** The service's process as it is started anew for every seed, and what it has told the operator. */
  function start(chains: DepositChains) {
    const alarms: string[] = []
    const tell = (fields: object, text: string) => {
      alarms.push(`${text} ${JSON.stringify(fields)}`)
    }
    const ignore = () => {}
    const reports = reportsTo({ info: ignore, warn: ignore, error: ignore, fatal: tell })
    const proofs = createAddressProofs({
      prover,
      derive,
      now: () => new Date(),
      onRefused: reports.addressRefused,
    })
    const running = stage.start(randomOf(1), chainsFor(chains))
    const gates = depositNetworks.map((id) => withNode(running.app.gates.find(`${id}-test`), chains[id]))
    const app: App = {
      ...running.app,
      reports: {
        ...reports,
        // A job on rows that make no sense fails, and credits nothing.
        jobFailed: () => {},
      },
      proofs,
      prover,
      gates: {
        list: () => gates,
        find: (id) => gates.find((gate) => gate.id === id) ?? null,
        isOnline: () => true,
        status: () => ({ online: true }),
      },
      addresses: {
        take: async (keychain, count) => {
          const claimed = await running.app.store.depositAddresses.claim(keychain, count)
          return claimed.filter((address) => proofs.isOurs({ keychain, ...address }))
        },
        giveBack: () => {},
      },
    }

    return {
      app,
      alarms,
      /** Follows the chains and does what follows from that, as far as the rows let it. */
      async work(): Promise<string[]> {
        const failures: string[] = []
        const steps = [
          ...gates.map((gate) => () => followChain(app, gate, { evenIfHeld: true })),
          () => doJobs(app),
        ]
        for (const step of steps)
          await step().catch((error: unknown) => {
            failures.push(error instanceof Error ? error.message : String(error))
          })
        return failures
      },
      /** What every process does each minute. */
      checkAddresses: () =>
        checkNewest(
          app,
          gates.map(({ keychain }) => keychain),
        ),
      audit: () => auditEverything(app),
    }
  }

  /** Two merchants with invoices and static addresses, and where their payers pay. */
  async function open(): Promise<Asked[]> {
    const { app } = start({ bitcoin: newChain('bitcoin'), ethereum: newChain('ethereum') })
    const asked: Asked[] = []
    for (const name of ['One', 'Two']) {
      const { merchantId } = await createMerchant(app, { name })
      const caller = callerOf(merchantId)
      for (const network of depositNetworks)
        for (const currency of currenciesOf[network]) {
          const wanted = { ...nothing, currency, network, amount: amounts[currency] }
          const { invoice } = await invoiceCreator(app)(caller, wanted, {})
          const made = await createAddress(app, caller, { currency, network, label: null })
          const units = invoice.asset?.amountUnits ?? 0n
          for (const address of [invoice.asset?.depositAddress ?? '', made.address])
            asked.push({ network, currency, units, address, merchantId })
        }
    }
    return asked
  }

  return { start, open, derive, close: () => stage.close() }
}

/** Makes each proof once: it is asked for the same few hundred over and over. */
function quickProver(): Prover {
  const prover = createProver(Buffer.alloc(32, 0x5e))
  const made = new Map<string, string>()
  return {
    ...prover,
    ofAddress(address) {
      const name = Object.values(address).join(' ')
      const proof = made.get(name) ?? prover.ofAddress(address)
      made.set(name, proof)
      return proof
    },
  }
}

export type DepositStage = Awaited<ReturnType<typeof openDepositStage>>

function callerOf(merchantId: string): Caller {
  return {
    actor: `key:${merchantId}`,
    person: null,
    merchantId,
    environment: 'test',
    permissions: new Set(),
    merchant: { baseCurrency: 'USD', feeBps: 50, payoutFeeBps: 0, refundFeeBps: 0, toleranceBps: 0 },
  }
}

/** The stage has more networks, on which nothing happens. */
function chainsFor(chains: DepositChains): Chains {
  return new Map(networkIds.map((id) => [id, id === 'bitcoin' ? chains.bitcoin : chains.ethereum]))
}

/** The gate of a chain in memory, which also answers what a node answers about coins and balances. */
function withNode(gate: Gate | null, chain: MemoryChain): Gate {
  if (gate === null) throw new Error('There is no such gate.')
  const outputs = () =>
    chain.transactions
      .filter(({ state }) => state === 'mined')
      .flatMap(({ hash, outputs: made }) =>
        made.map(({ units }, outputIndex) => ({ name: coinName({ txHash: hash, outputIndex }), units })),
      )
  if (gate.spending.kind === 'coins')
    return {
      ...gate,
      unspent: {
        maxOutputs: 100,
        async look(wanted) {
          const there = new Map(outputs().map(({ name, units }) => [name, units]))
          const found = wanted.filter((output) => there.has(coinName(output)))
          const isSame = (output: Output) => there.get(coinName(output)) === output.units
          return {
            tipHash: chain.tip.hash,
            free: new Set(found.filter(isSame).map(coinName)),
            beingSpent: new Set(),
            different: new Set(found.filter((output) => !isSame(output)).map(coinName)),
          }
        },
      },
    }
  const { currency } = nativeOf(gate.assets)
  return {
    ...gate,
    balances: async (addresses) =>
      new Map(
        await Promise.all(
          addresses.map(async (address) => [address, await chain.shown.balance(address, currency)] as const),
        ),
      ),
  }
}

/** The database follows the chains that every seed begins with. */
async function followFromStart(url: string): Promise<void> {
  for (const id of depositNetworks) {
    const { refs, tip } = newChain(id)
    await query(url, 'delete from followed_blocks where gate_id = $1', [`${id}-test`])
    await query(url, 'update followed_chains set hash = $2 where gate_id = $1', [`${id}-test`, tip.hash])
    for (const { height, hash } of refs.slice(-20))
      await query(url, 'insert into followed_blocks (gate_id, height, hash) values ($1, $2, $3)', [
        `${id}-test`,
        height.toString(),
        hash,
      ])
  }
}

/** Gives the addresses of the pool their proofs. */
async function prove(url: string, prover: Prover): Promise<void> {
  const rows = await query<{ keychain: string; position: string; address: string; tag: string }>(
    url,
    'select keychain, position, address, tag from deposit_addresses',
  )
  const proofs = rows.map(({ tag, ...row }) =>
    prover.ofAddress({ ...row, position: BigInt(row.position), tag: tag === '' ? null : tag }),
  )
  await query(url, 'alter table deposit_addresses disable trigger user')
  await query(
    url,
    `update deposit_addresses as a set proof = given.proof
     from unnest($1::text[], $2::bigint[], $3::text[]) as given (keychain, position, proof)
     where a.keychain = given.keychain and a.position = given.position`,
    [rows.map(({ keychain }) => keychain), rows.map(({ position }) => position), proofs],
  )
  await query(url, 'alter table deposit_addresses enable trigger user')
}
