import { balanceDecimals } from '../../../domain/assets.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import { formatDecimal, parseDecimal } from '../../../domain/money.ts'
import { outsidePostings } from '../../../domain/payout-postings.ts'
import type { Gate, GateAsset } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { findOutsideUse, type OutsideUse } from './find-outside-use.ts'
import { assetOn, ledgerAsset, nativeAsset } from './native-asset.ts'

/** What the operator states about transactions that Sluice did not send; amounts are decimals and include network fees. */
export type Statement = {
  readonly nextNonce: bigint
  readonly took: ReadonlyMap<string, string>
  readonly by: string
}

/**
 * Continues with the node's nonce after a hot wallet's key was used outside Sluice, and books the amounts that left: from
 * the free balance of the hot wallet and from the operator's float, in one transaction. Throws unless the statement names
 * exactly the node's nonce and the stated amounts are free.
 */
export async function acceptOutside(app: App, gate: Gate, statement: Statement): Promise<OutsideUse> {
  const { nextNonce, by } = statement
  const took = readTaken(gate, statement.took)
  const seen = await findOutsideUse(app, gate)
  return app.transaction(async (tx) => {
    await tx.holdings.becomeOnlyPlanner(gate.id)
    const ours = await tx.holdings.nextCount(gate.id, seen.address)
    if (seen.nodes <= ours)
      throw new ServiceError(
        'conflict',
        `The hot wallet of ${gate.id} was not used outside Sluice: Sluice assigned all its nonces.`,
      )
    if (nextNonce !== seen.nodes)
      throw new ServiceError(
        'conflict',
        `According to the node, the next nonce is ${seen.nodes}, not ${nextNonce}. Check again what was sent.`,
      )
    const held = await tx.holdings.lockHot(
      gate.id,
      [...took.keys()].map(({ currency }) => currency),
    )
    for (const [asset, units] of took) {
      const { currency, decimals } = asset
      const free = held.get(currency) ?? 0n
      if (free < units)
        throw new ServiceError(
          'conflict',
          `Only ${formatDecimal(free, decimals)} ${currency} of the hot wallet is free; payouts on their way have claimed the rest. Send the missing amount to ${seen.address}, let it confirm, and try again.`,
        )
      const id = uuidv7(app.now())
      await tx.outsideMoves.insert({
        id,
        gateId: gate.id,
        address: seen.address,
        firstNonce: ours,
        nextNonce,
        currency,
        units,
        statedBy: by,
      })
      await tx.ledger.post(
        [{ ...outsidePostings(ledgerAsset(gate, asset), id, units, by), id: uuidv7(app.now()) }],
        (code) => balanceDecimals(app.assets, code),
      )
    }
    await tx.holdings.changeHot(
      gate.id,
      new Map([...took].map(([{ currency }, units]) => [currency, -units])),
    )
    await tx.holdings.raiseCount(gate.id, seen.address, nextNonce)
    return { ...seen, ours: nextNonce }
  })
}

function readTaken(gate: Gate, took: Statement['took']): ReadonlyMap<GateAsset, bigint> {
  const native = nativeAsset(gate)
  if (!took.has(native.currency))
    throw new ServiceError(
      'validation_error',
      `Every transaction costs ${native.currency}. State how much ${native.currency} left, including fees.`,
    )
  return new Map(
    [...took].map(([currency, amount]) => {
      if (!gate.assets.some((asset) => asset.currency === currency))
        throw new ServiceError('validation_error', `${gate.id} does not have ${currency}.`)
      const asset = assetOn(gate, currency)
      const units = parseDecimal(amount, asset.decimals)
      if (units === null || units <= 0n)
        throw new ServiceError(
          'validation_error',
          `The amount of ${currency} must be a decimal above 0 with up to ${asset.decimals} places.`,
        )
      return [asset, units]
    }),
  )
}
