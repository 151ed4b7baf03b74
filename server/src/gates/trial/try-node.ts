import type { Block, BlockRef } from '../../domain/chain.ts'
import { type TrialCheck, type TrialFinding, trialChecks } from '../../domain/gate-trial.ts'
import { GateOutageError, noAddresses, WrongChainError } from '../gate.ts'
import { RpcRefusal } from '../json-rpc.ts'
import { checkNeeds } from './check-needs.ts'
import { Failed, type Found, findingOf } from './findings.ts'
import {
  blockAt,
  checkLinked,
  checkNothingAt,
  checkRuns,
  checkSameAgain,
  differenceOf,
} from './guarantees.ts'
import { latencyOf, type Meter } from './metered-rpc.ts'
import { samplePayees } from './sample-payees.ts'
import type { TriedNode } from './tried-node.ts'
import { Untestable, UntrueAnswer } from './untrue.ts'

/** What was read of a server, to be compared with others. */
export type Reading = { readonly tip: BlockRef | null; readonly blocks: readonly Block[] }

const payeesAtOnce = 8
const askedAlone = 20
const readAgain = 3
const farAbove = 1_000_000n
const maxReadTries = 3
const slowMs = 2_000
// By consensus a block's time may be this far ahead (Bitcoin); other networks allow less.
const maxAheadMs = 2 * 60 * 60 * 1000

/** Makes every check of one server, one after the other. */
export async function tryNode(
  node: TriedNode,
  meter: Meter,
  options: { readonly blocks: number; readonly isEncrypted: boolean; readonly now: () => Date },
): Promise<{ readonly findings: readonly TrialFinding[]; readonly reading: Reading }> {
  const { gate } = node
  let tip: BlockRef | null = null
  /** The newest blocks, first without and then with payments. */
  let headers: Block[] = []
  const blocks: Block[] = []
  // One object for all blocks, as a follower has, so that the gate may read ahead.
  const payees = samplePayees(payeesAtOnce)

  function known(): BlockRef {
    if (tip === null) throw new Untestable('Its newest block is not known.')
    return tip
  }

  function read<T>(all: readonly T[]): readonly [T, ...T[]] {
    const [first, ...others] = all
    if (first === undefined) throw new Untestable('No block could be read.')
    return [first, ...others]
  }

  async function readHeaders(): Promise<void> {
    for (let left = maxReadTries; ; left--) {
      const end = known()
      headers = []
      const span = BigInt(options.blocks)
      for (let height = end.height > span ? end.height - span : 0n; height <= end.height; height++)
        headers.push(await blockAt(gate, height, noAddresses))
      try {
        return checkLinked(headers, end)
      } catch (error) {
        // The chain may have been reorganised meanwhile.
        if (left === 1 || !(error instanceof UntrueAnswer)) throw error
        tip = await gate.tip()
      }
    }
  }

  const checks: Record<Exclude<TrialCheck, 'reachable' | 'chain'>, () => Promise<Found>> = {
    async synced() {
      try {
        tip = await gate.tip()
      } catch (error) {
        if (!(error instanceof WrongChainError)) throw error
        throw new UntrueAnswer(await node.whichChain())
      }
      const { minedAt } = await blockAt(gate, tip.height, noAddresses)
      const { says, problem } = await node.standing()
      const ageMs = options.now().getTime() - minedAt.getTime()
      const newest = `Its newest block is ${tip.height}, ${inWords(ageMs)} old. ${says}`
      if (problem !== null) throw new Failed(`${newest} ${problem.says}`, problem.todo)
      if (node.maxTipAgeMs !== null && ageMs > node.maxTipAgeMs)
        throw new Failed(
          `${newest} On this chain it should be at most ${inWords(node.maxTipAgeMs)} old.`,
          'Wait until it has the whole chain, and see that it has peers. Compare its height with a public explorer.',
        )
      if (ageMs < -maxAheadMs)
        throw new Failed(
          `${newest} That is in the future.`,
          'Set the clock of this machine (see: timedatectl), or ask your provider why blocks are from the future.',
        )
      return { says: newest }
    },

    methods: () => checkNeeds(node, known()),

    async blocks() {
      await readHeaders()
      return { says: `The newest ${headers.length} blocks follow each other, up to ${known().hash}.` }
    },

    async by_hash() {
      const block = read(headers.slice(-1))[0]
      const again = await node.byHash(block.hash)
      refuseDifference(`the block with hash ${block.hash}`, 'by its height it said', block, {
        ...again,
        transfers: [],
      })
      return { says: `Block ${block.height} is the same by height and by hash.` }
    },

    async hashes() {
      const proved = new Set<string>()
      for (const block of read(headers)) if (block.height > 0n) proved.add(await node.prove(block))
      return { says: `Recomputed from the bytes of ${headers.length} blocks: ${[...proved].join('; ')}.` }
    },

    async payments() {
      for (const header of read(headers)) {
        const block = await blockAt(gate, header.height, payees)
        refuseDifference(`block ${block.height}, read with its payments,`, 'without them it said', header, {
          ...block,
          transfers: [],
        })
        blocks.push(block)
      }
      const count = blocks.reduce((sum, { transfers }) => sum + transfers.length, 0)
      if (count === 0) throw new Untestable(`The newest ${blocks.length} blocks hold no payments.`)
      return {
        says: `${count} payments were read as Sluice would credit them, from ${blocks.length} blocks.`,
      }
    },

    async alone() {
      const paid = read(blocks).flatMap((block) => block.transfers.map((transfer) => ({ transfer, block })))
      const step = Math.max(1, Math.ceil(paid.length / askedAlone))
      const asked = paid.filter(({ block }, at) => at % step === 0 && block.height > 0n)
      if (asked.length === 0) throw new Untestable('There is no payment to ask for.')
      for (const { transfer, block } of asked) {
        const { txHash, outputIndex, units, currency, address } = transfer
        const { call, units: found } = await node.alone(transfer, block)
        const inBlock = `in block ${block.height} it pays ${units} units of ${currency} to ${address}`
        if (found === null)
          throw new UntrueAnswer({ call, said: `that there is no transaction ${txHash}`, truth: inBlock })
        if (found !== units)
          throw new UntrueAnswer({
            call,
            said: `that ${txHash}:${outputIndex} pays ${found} units of ${currency} to ${address}`,
            truth: `${inBlock}, and only one of the two can be true`,
          })
      }
      return { says: `${asked.length} payments have the same amount alone as in their block.` }
    },

    async repeat() {
      const all = read(blocks)
      const step = Math.max(1, Math.ceil(all.length / readAgain))
      const chosen = all.filter((_, at) => at % step === 0)
      const paid = new Set(chosen.flatMap(({ transfers }) => transfers.map(({ address }) => address)))
      const among = async (addresses: readonly string[]) =>
        new Set(addresses.filter((each) => paid.has(each)))
      const watched = { among, amongLower: among }
      for (const { height } of chosen)
        await checkSameAgain(gate, await blockAt(gate, height, watched), watched)
      await checkRuns(gate, headers, noAddresses)
      return { says: `${chosen.length} blocks were the same when they were read again.` }
    },

    async unknown() {
      const end = known()
      await checkNothingAt(gate, end.height + farAbove, noAddresses)
      return {
        says: `It does not know ${await node.unknown(end)}, nor a block far above its newest, and says so.`,
      }
    },

    async history() {
      const end = known()
      const { blocks: count, inWords: words } = node.reach(headers)
      const far = end.height > count ? end.height - count : 1n
      if (far > end.height) throw new Untestable('The chain has no block but its first.')
      const failure = await node.readFar(far, end).then(
        (more) => (more === null ? 'that there is none' : { more }),
        (error: unknown) => {
          if (error instanceof GateOutageError || error instanceof RpcRefusal) return error
          throw error
        },
      )
      if (typeof failure === 'object' && 'more' in failure)
        return {
          says: `It still has block ${far}, ${end.height - far} blocks back (${words}).${failure.more}`,
        }
      const said = typeof failure === 'string' ? failure : `“${failure.message}”`
      const claim = await node.claimsToKeep(far)
      if (claim !== null)
        throw new UntrueAnswer({ ...claim, truth: `asked for block ${far}, it says ${said}` })
      if (typeof failure === 'string')
        throw new UntrueAnswer({
          call: `the block at height ${far}`,
          said,
          truth: `the newest block is ${end.height}`,
        })
      throw new Failed(
        `It has no block ${far}, ${end.height - far} blocks back. It says ${said}`,
        `Let it keep more blocks: Sluice reads what it missed, and should find the blocks of ${words}.`,
      )
    },

    async fees() {
      const { ceiling, unit } = node.fees
      const rate = await gate.feeRate()
      if (rate > ceiling)
        throw new Failed(
          `It says that a fee of ${rate} ${unit} is needed, above the ceiling of ${ceiling}.`,
          'Compare with a public explorer. If fees are that high, raise "fee_ceiling" of the gate; otherwise the server is wrong.',
        )
      return { says: `A fee of ${rate} ${unit} is enough, below the ceiling of ${ceiling}.` }
    },

    async rate_limit() {
      if (meter.tooOften === 0)
        return { says: `It answered all of ${meter.requests} requests without a limit.` }
      throw new Failed(
        `It refused ${meter.tooOften} of ${meter.requests} requests because they came too often.`,
        'Ask your provider for a higher limit, or set a larger "poll_seconds". Sluice slows down by itself.',
      )
    },
  }

  const chain = await findingOf('chain', async () => {
    try {
      await gate.checkChain()
    } catch (error) {
      if (!(error instanceof WrongChainError)) throw error
      throw new UntrueAnswer(await node.whichChain())
    }
    return { says: `It is on the right chain: ${gate.chain}.` }
  })
  // Nothing was answered at all, or the trial would know what.
  const isSilent = chain.state === 'failed' && chain.lie === null && meter.answered === 0
  const others: TrialFinding[] = []
  for (const check of trialChecks) {
    if (check === 'reachable' || check === 'chain') continue
    others.push(
      await findingOf(check, () => {
        if (isSilent) throw new Untestable('The server gave no answer.')
        if (chain.state !== 'passed') throw new Untestable('It is not known to be on the right chain.')
        return checks[check]()
      }),
    )
  }
  const reachable = await findingOf('reachable', async () => {
    const latency = latencyOf(meter)
    if (isSilent || latency === null)
      throw new Failed(
        chain.says,
        'Check that it runs, that this machine reaches it, and the login in its URL.',
      )
    const times = `It answers in ${latency.median} ms (median; ${latency.slowest} ms at most)`
    const says = options.isEncrypted
      ? `${times}, over TLS.`
      : `${times}, without TLS: anyone on the way can read and change its answers.`
    if (latency.median > slowMs)
      throw new Failed(says, 'Choose a server that is nearer or less busy: every block takes several calls.')
    return { says }
  })
  const chainFinding: TrialFinding = isSilent
    ? { check: 'chain', state: 'skipped', says: 'The server gave no answer.', todo: null, lie: null }
    : chain
  return { findings: [reachable, chainFinding, ...others], reading: { tip, blocks } }
}

function refuseDifference(call: string, before: string, one: Block, other: Block): void {
  const difference = differenceOf(one, other)
  if (difference !== null)
    throw new UntrueAnswer({ call, said: difference.second, truth: `${before} ${difference.first}` })
}

function inWords(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`
}
