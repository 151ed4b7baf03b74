import type { Block, Transfer } from '../../domain/chain.ts'
import { type Gate, hotAddressOf, nativeOf } from '../../gates/gate.ts'
import type { FollowedChain } from '../../store/chains/followed-chains.ts'
import type { FoundBefore, NotedCheck, OwnAddress, Shortfall } from '../../store/chains/native-balances.ts'
import type { App } from '../app.ts'

/** How many addresses that await a payment are compared per check, of each kind; the rest take turns with all others. */
const maxAwaited = 4_000
/** How many of the other addresses are compared per check. With a check at every block, a million take hours. */
const maxInTurn = 1_000
/** Stands for the hot wallet among the positions of a block's addresses; no keychain ever reaches it. */
const hotPosition = 2 ** 31 - 1

export type BalanceCheck = NotedCheck & { readonly found: readonly Transfer[] }

/**
 * Compares the native balances of our addresses after the last block read with the expected ones. A surplus arrived
 * inside a contract call, by a self-destruct or as a block reward: it becomes a transfer of that block, named by the block's
 * hash or by its name from before a reorganisation. A shortfall is only reported. Returns null where the network does not
 * need the check, 'unknown' where the node does not have the block's state.
 */
export async function checkBalances(
  app: Pick<App, 'store' | 'reports'>,
  gate: Gate,
  chain: FollowedChain,
  /** The height of the block below `blocks`. */
  base: bigint,
  blocks: readonly Block[],
): Promise<BalanceCheck | 'unknown' | null> {
  const block = blocks.at(-1)
  if (gate.balances === undefined || block === undefined) return null
  const { currency, decimals } = nativeOf(gate.assets)
  const hot = hotAddressOf(gate)
  const known = await app.store.nativeBalances.shortfalls(gate.id)
  const { places, nextPosition } = await placesToCheck(app, gate, chain, currency, known)
  const addresses = [...places.keys()]
  // Read the chain before the books: a spend in this block was then already planned, and the books leave out its addresses.
  const held = await gate.balances(hot === null ? addresses : [...addresses, hot], block)
  if (held === null) {
    app.reports.balancesUnknown(gate, block)
    return 'unknown'
  }
  const expected = new Map(await app.store.nativeBalances.ofDeposits(gate.id, currency, addresses, base))
  const ofHot = hot === null ? null : await app.store.nativeBalances.ofHot(gate.id, currency, hot, base)
  if (hot !== null && ofHot !== null) expected.set(hot, ofHot)
  for (const transfer of blocks.flatMap(({ transfers }) => transfers)) {
    const before = expected.get(transfer.address)
    if (transfer.currency === currency && before !== undefined)
      expected.set(transfer.address, before + transfer.units)
  }

  const tooMuch = new Map<string, bigint>()
  const short: Shortfall[] = []
  const right = new Set<string>()
  for (const [address, expectedUnits] of expected) {
    const foundUnits = held.get(address)
    if (foundUnits === undefined) throw new Error(`${gate.id} did not return the balance of ${address}.`)
    if (foundUnits < expectedUnits) short.push({ address, expectedUnits, foundUnits })
    else right.add(address)
    if (foundUnits > expectedUnits) tooMuch.set(address, foundUnits - expectedUnits)
  }
  const before = await app.store.nativeBalances.displaced(gate.id, [...tooMuch.keys()], base)
  const found = [...tooMuch].flatMap(([address, units]) =>
    named(
      { txHash: block.hash, outputIndex: places.get(address) ?? hotPosition, address, units },
      before.filter((each) => each.address === address),
    ).map((name): Transfer => ({ ...name, currency, tag: null, byBalance: true })),
  )
  const mended = known.flatMap(({ address }) => (right.has(address) ? [address] : []))
  return { gateId: gate.id, currency, decimals, height: block.height, nextPosition, found, short, mended }
}

/**
 * Names the surplus at an address. Amounts that were found before a reorganisation keep their names, so that they stay the
 * same payments; the rest is new.
 */
function named(found: FoundBefore, before: readonly FoundBefore[]): FoundBefore[] {
  const again: FoundBefore[] = []
  let left = found.units
  for (const known of before) {
    if (known.units > left) continue
    again.push(known)
    left -= known.units
  }
  return left === 0n ? again : [...again, { ...found, units: left }]
}

/** The addresses to check, by position: those awaiting payment, those known to be short, and a slice of all others. */
async function placesToCheck(
  { store }: Pick<App, 'store'>,
  gate: Gate,
  { balancesPosition }: FollowedChain,
  currency: string,
  known: readonly Shortfall[],
): Promise<{ places: ReadonlyMap<string, number>; nextPosition: number }> {
  const hot = hotAddressOf(gate)
  const inTurn = await store.nativeBalances.inTurn(gate.keychain, balancesPosition, maxInTurn)
  const places: readonly OwnAddress[] = [
    ...inTurn,
    ...(await store.nativeBalances.awaited(gate.id, currency, maxAwaited)),
    ...(await store.depositAddresses.find(
      gate.keychain,
      known.filter(({ address }) => address !== hot).map(({ address }) => ({ address, tag: null })),
    )),
  ]
  const last = inTurn.at(-1)
  return {
    places: new Map(places.map(({ address, position }) => [address, position])),
    nextPosition: last === undefined || inTurn.length < maxInTurn ? 0 : last.position + 1,
  }
}
