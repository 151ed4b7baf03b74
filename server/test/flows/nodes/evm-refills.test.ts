import { type Address, createWalletClient, defineChain, type Hex, http } from 'viem'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { findRefills } from '../../../src/app/spends/cold/find-refills.ts'
import { moveToCold } from '../../../src/app/spends/cold/move-to-cold.ts'
import { prepareAccountRefill } from '../../../src/app/spends/cold/prepare-account-refill.ts'
import { submitAccountRefill } from '../../../src/app/spends/cold/submit-account-refill.ts'
import type { PreparedAccountRefill } from '../../../src/app/spends/cold/write-account-refill.ts'
import { giveUpMove } from '../../../src/app/spends/settling/give-up-move.ts'
import { sweepDeposits } from '../../../src/app/spends/sweeping/sweep-deposits.ts'
import { accountRefillFile } from '../../../src/cli/wallet-account-refill.ts'
import type { ColdPolicy } from '../../../src/domain/cold-wallets.ts'
import type { GateId } from '../../../src/domain/networks/network.ts'
import { type EvmShop, openEvmShop } from '../../support/nodes/evm-shop.ts'
import { by, operator, signWith } from '../../support/shop/account-refills.ts'
import { platformBalance } from '../../support/shop/cold.ts'
import { gateOf, hurry } from '../../support/shop/money-out.ts'

const gateId: GateId = 'ethereum-test'
const ether = 10n ** 18n
const cold = {
  network: 'ethereum',
  environment: 'test',
  destination: operator.address,
  cap: '100.00',
  keep: '50.00',
  currency: 'USD',
}

let stage: EvmShop
// One node for all tests, with tokens in the cold wallet. The gas there is the operator's own, and in no book.
beforeEach(async () => {
  stage ??= await openStage()
})
afterEach(async () => {
  await stage.untilQuiet()
  expect(await auditBooks(stage.service.app)).toEqual({ ok: true, differences: [] })
  for (const currency of ['ETH', 'USDT'])
    expect(await stage.heldInBooks(currency), currency).toBe(await stage.heldOnChain(currency))
  expect(-(await held('cold', 'USDT'))).toBe(await stage.heldAt(operator.address, stage.tokens.USDT))
  expect(await held('cold', 'ETH')).toBe(0n)
})
afterAll(() => stage?.close())

const held = (kind: string, currency: string) => platformBalance(stage.service, kind, 'ethereum', currency)
const usdt = () => ({ contract: 'BlocklistToken', at: stage.tokens.USDT as Address })
const prepare = (amount: string) =>
  prepareAccountRefill(stage.service.app, { gateId, currency: 'USDT', amount, by })
const submit = (file: string) => submitAccountRefill(stage.service.app, Buffer.from(file), by)
const spendOf = async (id: string) => (await stage.service.app.store.spends.find(id)) ?? null

async function openStage(): Promise<EvmShop> {
  const opened = await openEvmShop({ USDT: 'BlocklistToken' }, { config: { cold: [cold] } })
  const { service, shop, mine, send, sendNative, fillFloat, confirmations, tokens } = opened
  await fillFloat(ether)
  const invoice = await shop.create({ currency: 'USDT', amount: '500', network: 'ethereum' })
  await send(
    { contract: 'BlocklistToken', at: tokens.USDT as Address },
    'transfer',
    invoice.deposit_address,
    500_000_000n,
  )
  await sendNative(operator.address, ether)
  await mine(confirmations)
  const spending = { ...service.app.spending, sweepMaxCostBps: 10_000 }
  expect(await sweepDeposits({ ...service.app, spending })).toBe(1)
  await opened.untilQuiet()
  const policies = service.app.spending.cold as Map<GateId, ColdPolicy>
  const policy = policies.get(gateId) as ColdPolicy
  // The worker may have been first.
  await expect
    .poll(async () => {
      await moveToCold(service.app, gateOf(service, 'ethereum'), policy)
      await opened.untilQuiet()
      return platformBalance(service, 'cold', 'ethereum', 'USDT')
    })
    .not.toBe(0n)
  // From here on nothing moves by itself.
  policies.set(gateId, { ...policy, capValue: 10n ** 30n })
  return opened
}

async function ended(id: string, status: string): Promise<void> {
  await expect
    .poll(async () => {
      await stage.mine()
      await findRefills(stage.service.app, gateOf(stage.service, 'ethereum'))
      await hurry(stage.service)
      return (await spendOf(id))?.status
    })
    .toBe(status)
}

/** The balance of the hot wallet on the chain. */
const hotHas = ({ hotAddress }: PreparedAccountRefill) => stage.heldAt(hotAddress, usdt().at)

it('tokens come back with a file that viem has signed, and the fee of the operator’s own gas is in no book', async () => {
  const refill = await prepare('100')
  const file = JSON.parse(accountRefillFile(refill))
  const [hot, float] = [await hotHas(refill), await held('float', 'ETH')]
  const raw = await signWith(operator, file.unsigned)
  const sent = await submit(JSON.stringify({ raw }))
  expect(sent).toMatchObject({ id: refill.id, refusal: null })
  expect(await submit(raw)).toEqual(sent)
  await ended(refill.id, 'final')
  expect((await hotHas(refill)) - hot).toBe(100_000_000n)
  const { gasUsed, effectiveGasPrice } = await stage.anvil.ask('eth_getTransactionReceipt', sent.txHash)
  const spend = await spendOf(refill.id)
  expect(spend?.feeUnits).toBe(BigInt(gasUsed) * BigInt(effectiveGasPrice))
  expect(spend?.feeUnits).toBeLessThanOrEqual(spend?.transactions[0]?.maxFeeUnits ?? 0n)
  expect(await held('float', 'ETH')).toBe(float)
  expect(await held('float', 'USDT')).toBe(0n)
})

it.each([
  ['as usual', {}],
  [
    'in a transaction of a type that we never write',
    { accessList: [{ address: operator.address, storageKeys: [] }] },
  ],
])('a refill that a wallet sends by itself, with its own fee, %s, is found and booked', async (_, more) => {
  const { anvil } = stage
  const chain = defineChain({
    id: anvil.chainId,
    name: 'anvil',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [anvil.url] } },
  })
  const wallet = createWalletClient({ account: operator, chain, transport: http(anvil.url) })
  const refill = await prepare('20')
  const { to, data } = refill.transaction
  const hash = await wallet.sendTransaction({ to: to as Address, data: data as Hex, gas: 90_000n, ...more })
  await ended(refill.id, 'final')
  expect((await spendOf(refill.id))?.mined?.hash).toBe(hash)
  expect(await held('float', 'USDT')).toBe(0n)
})

it('while the cold wallet has a transaction of its own on the way, no refill is prepared', async () => {
  const other = await signWith(operator, (await prepared('1')).unsigned, { to: operator.address, data: '0x' })
  await stage.anvil.ask('eth_sendRawTransaction', other)
  await expect(prepare('1')).rejects.toThrow(/has a transaction that waits for a block/)
  await stage.mine(stage.confirmations)
})

/** A refill that was given up at once: only what it would sign is of interest. */
async function prepared(amount: string): Promise<PreparedAccountRefill> {
  const refill = await prepare(amount)
  await giveUpMove(stage.service.app, refill.id, { by, deadSpendId: null })
  return refill
}

it('a refill whose nonce the operator has used otherwise is dead once that is deep', async () => {
  const refill = await prepare('30')
  const other = await signWith(operator, refill.unsigned, { to: operator.address, data: '0x' })
  await stage.anvil.ask('eth_sendRawTransaction', other)
  await ended(refill.id, 'dead')
})

it('a refill that the token refuses ends as reverted, and moves nothing', async () => {
  const refill = await prepare('40')
  const [hot, before] = [await hotHas(refill), await held('cold', 'USDT')]
  await stage.send(usdt(), 'setBlocked', operator.address, true)
  await stage.mine()
  await submit(await signWith(operator, refill.unsigned))
  await ended(refill.id, 'reverted')
  expect(await hotHas(refill)).toBe(hot)
  expect(await held('cold', 'USDT')).toBe(before)
  // An amount that was not simulated before it was blocked.
  await expect(prepare('2')).rejects.toThrow(/The network would refuse this transfer/)
  await stage.send(usdt(), 'setBlocked', operator.address, false)
  await stage.mine()
})

it('more gas than the cold wallet has, and more tokens, are refused before anything is signed', async () => {
  await expect(prepare('1000000')).rejects.toThrow(/By the books/)
  const rich = await stage.heldAt(operator.address)
  await stage.anvil.ask('anvil_setBalance', operator.address, '0x1')
  await expect(prepare('1')).rejects.toThrow(
    /on the chain, and this refill may take .* ETH for the fee|would refuse/,
  )
  await stage.anvil.ask('anvil_setBalance', operator.address, `0x${rich.toString(16)}`)
})
