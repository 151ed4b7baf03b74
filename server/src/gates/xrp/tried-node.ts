import { createHash } from 'node:crypto'
import type { BlockRef, Transfer } from '../../domain/chain.ts'
import type { Environment } from '../../domain/environment.ts'
import { gateId, type Network } from '../../domain/networks/network.ts'
import { type GateAsset, nativeOf, type WatchedAddresses, WrongChainError } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { shownText } from '../shown-text.ts'
import { dayBack } from '../trial/day-back.ts'
import { Failed } from '../trial/findings.ts'
import { samplePayees } from '../trial/sample-payees.ts'
import type { TriedNode } from '../trial/tried-node.ts'
import { UntrueAnswer } from '../trial/untrue.ts'
import { classicAddressOf, encodeClassicAddress } from './address.ts'
import { hasSold, refuseForged } from './delivered.ts'
import { holdsAll } from './held-ledgers.ts'
import { askAccount } from './node-accounts.ts'
import { readHash, readNumber, readObject } from './node-answers.ts'
import { askTransaction } from './node-executed.ts'
import { type FeeBounds, nodeFeeRate } from './node-fees.ts'
import { issuedAssets } from './node-gate.ts'
import { askLedgerByHash, type NodeLedger } from './node-ledgers.ts'
import { xrpReading } from './node-reading.ts'
import { askUnless } from './node-rpc.ts'
import { askInfo, networkIdIn } from './node-server.ts'
import { balanceChanges, transfersIn } from './node-transfers.ts'
import { proveLedger } from './prove-ledger.ts'
import { lineChanges } from './trust-lines.ts'

export type XrpTrialOptions = {
  readonly network: Network
  readonly environment: Environment
  readonly assets: readonly GateAsset[]
  readonly networkId: number
  readonly fees: FeeBounds
  readonly rpc: NodeRpc
  readonly place: string
}

type Members = Record<string, unknown>

const noBound = 2n ** 200n
// Names that nothing has: those of transactions and accounts are as good as random.
const digest = createHash('sha256').update('sluice gate try').digest()
const nobodysHash = digest.toString('hex').toUpperCase()
const nobodysAddress = encodeClassicAddress(Uint8Array.from(digest.subarray(0, 20)))
const nobodysLine = { accounts: [nobodysAddress, classicAddressOf(digest)], currency: 'USD' }
// A ledger is validated every three or four seconds.
const maxTipAgeMs = 2 * 60_000
const secondsBetween = { least: 2, most: 10 }
// The main network and the two public ones for tests. Others may close ledgers on demand.
const publicNetworks: ReadonlySet<number> = new Set([0, 1, 2])
const maxShown = 200
const keepMore =
  'Let it keep more ledgers ("ledger_history" and "online_delete" of rippled), or add a server with full history to rpc_urls: ' +
  'Sluice passes over no ledger.'

/** A server of the XRP Ledger, as `sluice gate try` asks it. */
export function xrpTriedNode(options: XrpTrialOptions): TriedNode {
  const { network, environment, assets, networkId, fees, rpc, place } = options
  const { currency } = nativeOf(assets)
  const issued = issuedAssets(assets)
  const { nodes, newest, ...reading } = xrpReading({
    id: gateId(network.id, environment),
    networkId,
    endpoints: [{ place, rpc }],
    agreement: 1,
    arrivals,
  })
  let lastTip: BlockRef | null = null

  /** What a ledger has brought to those of its accounts that the trial looks at. */
  async function arrivals(
    { height, transactions }: NodeLedger,
    watched: WatchedAddresses,
  ): Promise<readonly Transfer[]> {
    refuseForged(`ledger ${height}`, transactions)
    const gainers = transactions.flatMap((each) => {
      const { metaData } = readObject(each, 'a transaction is none') as { metaData: Members }
      const changed = [...balanceChanges(metaData)].flatMap(([address, change]) =>
        change > 0n ? [address] : [],
      )
      return issued.length === 0
        ? changed
        : [...changed, ...lineChanges(metaData).flatMap(({ low, high }) => [low, high])]
    })
    if (gainers.length === 0) return []
    const payees = await watched.among(gainers)
    return [...payees].flatMap((payee) => received(transactions, payee))
  }

  function received(transactions: readonly unknown[], payee: string): readonly Transfer[] {
    const plain = transactions.filter((each) => !hasSold((each as { metaData: Members }).metaData, payee))
    // What an issuer gets back is on the lines of others.
    const others = issued.filter((asset) => asset.issued.issuer !== payee)
    return transfersIn(plain, { account: payee, currency, issued: others })
  }

  const heldOf = (info: Members) => shownText(info.complete_ledgers ?? 'none')

  const gate: TriedNode['gate'] = {
    ...reading,
    // The network alone: whether the server is in sync is another question, which has an answer of its own.
    async checkChain() {
      const found = networkIdIn(await askInfo(rpc))
      if (found !== networkId)
        throw new WrongChainError(`It is on network ${found}, but it must be on network ${networkId}.`)
    },
    async tip() {
      lastTip = await reading.tip()
      return lastTip
    },
    async block(height, watched) {
      const found = await reading.block(height, watched)
      if (found !== null || lastTip === null || height > lastTip.height) return found
      const held = heldOf(await askInfo(rpc))
      if (holdsAll(held, height, height))
        throw new UntrueAnswer({
          call: 'server_info',
          said: `that it has the ledgers ${held.slice(0, maxShown)}`,
          truth: `asked for ledger ${height}, it says that it does not have it`,
        })
      throw new Failed(`It does not have ledger ${height}, only ${held.slice(0, maxShown)}.`, keepMore)
    },
    feeRate: () => nodes.ask((each) => nodeFeeRate(each, { floor: 0n, ceiling: noBound })),
  }

  return {
    gate,
    rpc,
    fees: { ceiling: fees.ceiling, unit: 'drops for a transaction' },
    maxTipAgeMs: publicNetworks.has(networkId) ? maxTipAgeMs : null,

    async whichChain() {
      return {
        call: 'server_info',
        said: `that its network is ${networkIdIn(await askInfo(rpc))}`,
        truth: `it must be ${networkId}`,
      }
    },

    async software() {
      const { build_version, clio_version } = await askInfo(rpc)
      return clio_version === undefined
        ? `rippled ${shownText(build_version ?? 'of unknown version')}`
        : `Clio ${shownText(clio_version)}`
    },

    async standing() {
      const { peers, load_factor: load, ...info } = await askInfo(rpc)
      const says = [
        peers === undefined ? 'It does not tell how many peers it has.' : `It has ${shownText(peers)} peers.`,
        ...(typeof load === 'number' && load > 1 ? [`Its load factor is ${load}.`] : []),
        `It has the ledgers ${heldOf(info).slice(0, maxShown)}.`,
      ].join(' ')
      if (peers !== 0) return { says, problem: null }
      return {
        says,
        problem: {
          says: 'Without peers it learns of no ledger.',
          todo: 'Let it connect to the network (see: rippled peers).',
        },
      }
    },

    needs: ({ height }) => [
      { call: ['server_info', {}], need: 'to know which network it is on, and whether it is in sync' },
      { call: ['server_state', {}], need: 'to know the reserve of accounts' },
      {
        call: ['ledger', { ledger_index: 'validated', transactions: false }],
        need: 'to see which ledger is the newest',
      },
      {
        call: ['ledger', { ledger_index: Number(height), transactions: true, expand: true }],
        need: 'to find payments',
      },
      {
        call: ['ledger', { ledger_index: 'current', transactions: true, expand: true }],
        need: 'to show payments before they are in a validated ledger',
        isOptional: true,
      },
      {
        call: ['account_info', { account: nobodysAddress, ledger_index: 'validated' }],
        need: 'to see what accounts hold',
        mayRefuse: true,
      },
      {
        call: ['account_info', { account: nobodysAddress, ledger_index: 'current', queue: true }],
        need: 'to see which payouts wait',
        mayRefuse: true,
      },
      {
        call: ['tx', { transaction: nobodysHash, binary: false }],
        need: 'to know what became of a payout',
        mayRefuse: true,
      },
      {
        call: ['ledger_entry', { ripple_state: nobodysLine, ledger_index: 'validated' }],
        need: 'to see the trust lines of issued currencies',
        mayRefuse: true,
      },
      { call: ['fee', {}], need: 'to know the fee of a payout' },
      // A byte that is no transaction: nothing is sent.
      { call: ['submit', { tx_blob: '00' }], need: 'to send payouts', mayRefuse: true },
    ],

    prove: (block) => proveLedger(rpc, block),

    async byHash(hash) {
      const { transactions: _, ...found } = await askLedgerByHash(rpc, hash)
      return found
    },

    async alone({ txHash, address, outputIndex }, { height }) {
      const call = `tx ${txHash}`
      const params = { transaction: txHash, binary: false }
      const answer = await askUnless(rpc, ['txnNotFound'], 'tx', params)
      if (answer === null) return { call, units: null }
      const { meta, ...found } = readObject(answer, 'it shows no transaction')
      const shown = readHash(found.hash)
      if (shown !== txHash)
        throw new UntrueAnswer({ call, said: `that it is ${shown}`, truth: 'it was asked for another one' })
      if (found.validated !== true)
        throw new UntrueAnswer({
          call,
          said: 'that it is in no validated ledger',
          truth: `it is in ledger ${height}`,
        })
      const at = BigInt(readNumber(found.ledger_index, 'the number of a ledger'))
      if (at !== height)
        throw new UntrueAnswer({
          call,
          said: `that it is in ledger ${at}`,
          truth: `it was shown in ledger ${height}`,
        })
      const whole = { ...found, metaData: meta }
      refuseForged(call, [whole])
      const transfer = received([whole], address).find((each) => each.outputIndex === outputIndex)
      return { call, units: transfer?.units ?? 0n }
    },

    async unknown() {
      const known = (call: string) =>
        new UntrueAnswer({ call, said: 'that there is such a thing', truth: 'this name was made up' })
      if ((await askTransaction(rpc, nobodysHash)) !== null) throw known(`tx ${nobodysHash}`)
      if ((await askAccount(rpc, nobodysAddress)) !== null) throw known(`account_info ${nobodysAddress}`)
      return 'a made-up transaction and a made-up account'
    },

    reach: (headers) => dayBack(headers, { ...secondsBetween, assumed: secondsBetween.least }),

    async readFar(height, tip) {
      if ((await gate.block(height, samplePayees(1))) === null) return null
      const held = heldOf(await askInfo(rpc))
      if (!holdsAll(held, height, tip.height))
        throw new Failed(
          `It has ledger ${height}, but by its own word not all since then: it has ${held.slice(0, maxShown)}.`,
          keepMore,
        )
      return ' By its own word it has all since then.'
    },

    async claimsToKeep(height) {
      const held = heldOf(await askInfo(rpc))
      if (!holdsAll(held, height, height)) return null
      return { call: 'server_info', said: `that it has the ledgers ${held.slice(0, maxShown)}` }
    },
  }
}
