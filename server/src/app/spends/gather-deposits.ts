import { uuidv7 } from '../../domain/ids.ts'
import { type AccountPlan, hotKey, maxFeeOf } from '../../domain/spends.ts'
import type { AccountSpending, Gate, GateAsset } from '../../gates/gate.ts'
import type { UnspentDeposit } from '../../store/holdings.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { claimAndInsert, type HotWallet, inWords } from './hot-wallet.ts'
import { nativeAsset } from './native-asset.ts'

const maxSweeps = 50
// An address is left alone until what lies there is worth so many times its gas.
const worth = 2n

const gathering =
  'Coins are being gathered from deposit addresses into the hot wallet. It goes on by itself when they are there.'

/**
 * Sets sweeps of deposit addresses in motion until they will bring what is missing, those under way counted in. Returns
 * how many were started, and what a payout that waits for them is told.
 */
export async function gather(
  app: App,
  tx: Store,
  gate: Gate,
  spending: AccountSpending,
  hot: HotWallet,
  asset: GateAsset,
  missingUnits: bigint,
): Promise<{ started: number; reason: string }> {
  const native = nativeAsset(gate)
  let missing = missingUnits - (await tx.spends.underWay(gate.id, asset.currency))
  if (missing <= 0n) return { started: 0, reason: gathering }
  if (spending.depositsAreHot) return { started: 0, reason: shortOf(hot, asset, missing) }

  const { keychain } = gate
  const deposits = await tx.holdings.deposits(gate.id, keychain, asset.currency, maxSweeps * 4)
  let started = 0
  for (const [address, lying] of Map.groupBy(deposits, (deposit) => deposit.address)) {
    if (missing <= 0n || started === maxSweeps) break
    const sweep = draftSweep(spending, hot, asset, address, lying)
    if (sweep === null) continue
    let afterSpendId: string | null = null
    if (asset.contractAddress !== null) {
      const gas = draftGas(spending, native, hot, address, maxFeeOf(sweep))
      if ((hot.units.get(native.currency) ?? 0n) < gas.units + maxFeeOf(gas))
        return { started, reason: shortOf(hot, native, gas.units + maxFeeOf(gas)) }
      afterSpendId = await claimAndInsert(app, tx, gate, hot, 'gas', gas)
    }
    const id = uuidv7(app.now())
    const nonce = await tx.holdings.takeNumber(gate.id, address)
    const feeCurrency = native.currency
    await tx.spends.insert({
      id,
      gateId: gate.id,
      kind: 'sweep',
      plan: { ...sweep, nonce },
      feeCurrency,
      afterSpendId,
    })
    if (
      !(await tx.holdings.pinPayments(
        lying.map(({ paymentId }) => paymentId),
        id,
      ))
    )
      throw new Error('A deposit was claimed by another although nobody else plans.')
    missing -= sweep.units
    started++
  }
  return { started, reason: missing <= 0n ? gathering : shortOf(hot, asset, missing) }
}

function draftSweep(
  spending: AccountSpending,
  hot: HotWallet,
  asset: GateAsset,
  address: string,
  lying: readonly UnspentDeposit[],
): AccountPlan | null {
  const first = lying[0]
  if (first === undefined) return null
  const sum = lying.reduce((total, { units }) => total + units, 0n)
  const gasLimit = spending.gasOf(asset)
  const fee = gasLimit * hot.gasPrice
  const isNative = asset.contractAddress === null
  if (isNative && sum <= fee * worth) return null
  return {
    kind: 'account',
    from: { address, key: { chain: 'deposit', index: first.position } },
    nonce: 0n,
    to: { address: hot.address, tag: null },
    currency: asset.currency,
    contractAddress: asset.contractAddress,
    units: isNative ? sum - fee : sum,
    gasLimit,
    gasPrice: hot.gasPrice,
    payoutId: null,
  }
}

function draftGas(
  spending: AccountSpending,
  native: GateAsset,
  hot: HotWallet,
  address: string,
  units: bigint,
): AccountPlan {
  return {
    kind: 'account',
    from: { address: hot.address, key: hotKey },
    nonce: 0n,
    to: { address, tag: null },
    currency: native.currency,
    contractAddress: null,
    units,
    gasLimit: spending.gasOf(native),
    gasPrice: hot.gasPrice,
    payoutId: null,
  }
}

function shortOf(hot: HotWallet, asset: GateAsset, units: bigint): string {
  return `The hot wallet is short of ${inWords(asset, units)}. The operator can send it to ${hot.address}; it goes on by itself then.`
}
