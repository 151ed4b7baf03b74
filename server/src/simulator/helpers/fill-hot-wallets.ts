import type { App } from '../../app/app.ts'
import { nativeAsset } from '../../app/spends/hot-wallet/native-asset.ts'
import { type Gate, hotAddressOf } from '../../gates/gate.ts'

// More gas than any sandbox user needs, in whole units of the native currency.
const wholeCoins = 100n

/**
 * Funds the hot wallet of a simulated network with gas, once, before a payout first needs it: the sandbox has no operator who
 * could. It arrives like an operator's deposit. Returns whether this call funded it.
 */
export async function fillHotWallets(app: Pick<App, 'store' | 'transaction'>, gate: Gate): Promise<boolean> {
  const { simulated, spending } = gate
  const address = spending.kind === 'coins' ? null : spending.hotAddress
  if (simulated === null || address === null || !(await needsGas(app, gate))) return false
  const { currency, decimals } = nativeAsset(gate)
  return app.transaction(async (tx) => {
    const coin = `gas for ${address}`
    if (await tx.simulatedChains.isUsed(gate.id, coin)) return false
    await tx.simulatedChains.submit(gate.id, {
      coin,
      feeUnits: 0n,
      outputs: [{ address, tag: null, currency, units: wholeCoins * 10n ** BigInt(decimals) }],
      makeTransaction: simulated.makeTransaction,
    })
    return true
  })
}

const maxLookedAt = 50

/** Where deposits arrive at the hot wallet, only payouts of tokens lack gas: others pay their fee from what was deposited. */
async function needsGas({ store }: Pick<App, 'store'>, gate: Gate): Promise<boolean> {
  if (hotAddressOf(gate) !== null) return true
  const native = nativeAsset(gate).currency
  return (await store.payouts.due(gate.id, maxLookedAt)).some(({ currency }) => currency !== native)
}
