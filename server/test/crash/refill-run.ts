import { sql } from '../../src/store/sql.ts'
import { type Random, randomOf } from '../simulation/random.ts'
import type { Children } from './children.ts'
import { type Falls, fallsAtRandom, noFall } from './falls.ts'
import { mishaps } from './mishaps.ts'
import { RefillDesk, work, workAtLast } from './refill-desk.ts'
import { refillJudge } from './refill-judge.ts'
import type { Cold } from './refill-scenario.ts'
import { accountSide, coinSide } from './refill-sides.ts'
import { at, type Outcome } from './run.ts'
import type { Run } from './running.ts'

/** What the operator does at a desk. */
type Act = (desk: RefillDesk) => Promise<void>

const prepare: Act = (desk) => desk.prepare()
const submit: Act = (desk) => desk.submit()
const raise: Act = (desk) => desk.submit(undefined, true)
const giveUp: Act = (desk) => desk.giveUp()
const sendElsewhere: Act = (desk) => desk.sendElsewhere()
const sendFirstElsewhere: Act = (desk) => desk.sendElsewhere(desk.refills[0])
const spendOtherwise: Act = (desk) => desk.spendOtherwise()
const reorganise: Act = (desk) => desk.reorganise(false)
const dropFromChain: Act = (desk) => desk.reorganise(true)

/** The acts of a story, with a worker after each group; and how many refills of each network are booked in the end. */
type Story = { readonly acts: readonly (readonly Act[])[]; readonly booked: number }

/** The lives of a refill. */
export const stories = {
  'is handed in at two fees, and its block is replaced': {
    acts: [[prepare, submit, raise], [reorganise]],
    booked: 1,
  },
  'is sent by another program': { acts: [[prepare, sendElsewhere]], booked: 1 },
  'is given up and mined after all': { acts: [[prepare, giveUp, sendElsewhere]], booked: 1 },
  'is given up and mined in place of the next one': {
    acts: [[prepare, giveUp, prepare, sendFirstElsewhere, submit]],
    booked: 1,
  },
  'is undone by a reorganisation': {
    acts: [[prepare, submit], [dropFromChain, spendOtherwise], [giveUp]],
    booked: 0,
  },
} as const satisfies Record<string, Story>

export type StoryName = keyof typeof stories

// So that everything in a block gets deep.
const usual = { moreRounds: 2, mayUndo: true }

/** Plays a story on both networks at once, amid these kills, and judges the result. */
export async function runRefillStory(
  { place }: Cold,
  children: Children,
  name: StoryName,
  falls: Falls,
): Promise<Outcome> {
  const { acts, booked }: Story = stories[name]
  return atDesks(place, children, randomOf(3), falls, async (run, desks) => {
    for (const [at, group] of acts.entries()) {
      for (const act of group) for (const desk of desks) await act(desk)
      await (at === acts.length - 1 ? workAtLast : work)(run, falls)
    }
    return { coins: booked, account: booked }
  })
}

const maxActs = 3
const maxRounds = 4

/** Random acts on both networks, amid mishaps; then the operator hands in or gives up what is left. */
export async function runRefillSeed({ place }: Cold, children: Children, seed: number): Promise<Outcome> {
  const random = randomOf(seed)
  const falls = fallsAtRandom(random)
  return atDesks(place, children, random, falls, async (run, desks) => {
    for (let rounds = random.between(2, maxRounds); rounds > 0; rounds--) {
      for (const desk of desks)
        for (let acts = random.between(0, maxActs); acts > 0; acts--) await actAtRandom(desk, random)
      await mishaps[random.weighted({ one: 4, two: 4, stopped: 1 })](run)
    }
    await tidyUp(run, desks, random)
    return null
  })
}

/** Mostly about the newest refill. */
async function actAtRandom(desk: RefillDesk, random: Random): Promise<void> {
  const { refills } = desk
  const made = random.bool(0.3) ? refills[random.below(refills.length)] : refills.at(-1)
  if (made === undefined) return desk.prepare()
  const acts = {
    prepare: () => desk.prepare(),
    submit: () => desk.submit(made),
    raise: () => desk.submit(made, true),
    sendElsewhere: () => desk.sendElsewhere(made),
    giveUp: () => desk.giveUp(made),
    spendOtherwise: () => desk.spendOtherwise(made),
    reorganise: () => desk.reorganise(false, made),
    dropFromChain: () => desk.reorganise(true, made),
  }
  const weights = {
    prepare: 4,
    submit: 5,
    raise: 2,
    sendElsewhere: 3,
    giveUp: 3,
    spendOtherwise: 1,
    reorganise: 2,
    dropFromChain: 2,
  } as const
  await acts[random.weighted(weights)]()
}

const maxTidying = 5

/** Hands in or gives up what waits for the operator, until nothing does. */
async function tidyUp(run: Run, desks: readonly RefillDesk[], random: Random): Promise<void> {
  for (let tidying = 0; tidying < maxTidying; tidying++) {
    await work(run, noFall)
    const left = await sql<{ id: string; isOpen: boolean }>`
      select id, status = 'open' as "isOpen" from spends
      where kind = 'refill' and (status = 'open' or undone_reason is not null) order by id`.rows(run.db)
    if (left.length === 0) return
    for (const { id, isOpen } of left)
      for (const desk of desks) {
        const made = desk.refills.find((each) => each.id === id)
        if (isOpen && made !== undefined && random.bool(0.5)) await desk.submit(made)
        else if (made !== undefined || desk.side.gateId === 'bitcoin-test') await desk.giveUp({ id })
      }
  }
}

/** The refills that each network should have booked in the end; null if that depends. */
type Expected = { readonly coins: number; readonly account: number } | null

async function atDesks(
  place: Cold['place'],
  children: Children,
  random: Random,
  falls: Falls,
  play: (run: Run, desks: readonly RefillDesk[]) => Promise<Expected>,
): Promise<Outcome> {
  let desks: readonly RefillDesk[] = []
  let expected: Expected = null
  return at(
    place,
    children,
    random,
    async (run) => {
      desks = [coinSide(random), accountSide(random)].map((side) => new RefillDesk(run, falls, side))
      // The signer has to look at a new database before anything can be planned in it.
      await work(run, noFall, { moreRounds: 0 })
      expected = await play(run, desks)
      return []
    },
    async (app, pool, where) => {
      const { rows } = await pool.query(
        `select count(*) filter (where gate_id = 'bitcoin-test')::integer as coins,
           count(*) filter (where gate_id = 'ethereum-test')::integer as account
         from spends where kind = 'refill' and status = 'final'`,
      )
      const [booked, due] = [JSON.stringify(rows[0]), JSON.stringify(expected ?? rows[0])]
      return [
        ...(await refillJudge(desks)(app, pool, where)),
        ...(booked === due ? [] : [`booked are ${booked}, and should be ${due}`]),
      ]
    },
    usual,
  )
}
