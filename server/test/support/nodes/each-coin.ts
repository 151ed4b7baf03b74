import { describe, it } from 'vitest'
import { type Coin, coins } from './coin-node.ts'

const missing = 'skipped: no Bitcoin node for this machine'

/** Defines tests on a real node of each coin. If there is no Bitcoin node here, the run says so. */
export function describeEachCoin(define: (coin: Coin) => void): void {
  for (const coin of ['litecoin', 'bitcoin'] as const) describeCoin(coin, define)
}

export function describeCoin(coin: Coin, define: (coin: Coin) => void): void {
  if (coins[coin].node !== null) describe(`on a node of ${coin}`, () => define(coin))
  else {
    process.stdout.write(`${missing}\n`)
    it.skip(missing)
  }
}

/** Whether tests that repeat a guarantee on another node run too: in `npm run soak`. */
export const isEveryNode = process.env.SLUICE_EVERY_NODE !== undefined

/** Defines tests on a node of `mainCoin`; in `npm run soak` on one of each coin. */
export function describeMainCoin(define: (coin: Coin) => void): void {
  if (isEveryNode) describeEachCoin(define)
  else describeCoin(mainCoin(), define)
}

/** The coin for tests that run on one node only: bitcoin, or litecoin if there is no Bitcoin node here. */
export function mainCoin(): Coin {
  if (coins.bitcoin.node !== null) return 'bitcoin'
  process.stdout.write(`${missing}: using litecoin instead\n`)
  return 'litecoin'
}
