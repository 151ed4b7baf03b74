import { describe, expect, it } from 'vitest'
import type { BlockRef, Transfer } from '../../src/domain/chain.ts'
import { OutageError } from '../../src/domain/errors.ts'
import type { Fate } from '../../src/domain/spends.ts'
import type { GateHarness, GateTraits, Purse, Sending } from './harness.ts'

const units = 1_000_000n

/** The guarantees of every gate about transactions of ours. */
export function describeSending(
  traits: Pick<GateTraits, 'tagged' | 'spends' | 'runsByItself' | 'drops' | 'reorganisations'>,
  harness: () => GateHarness,
): void {
  const gate = () => harness().gate
  const isTold = traits.runsByItself !== true
  const tip = (): Promise<BlockRef> => gate().tip()
  const signing =
    (purse: Purse) =>
    (sending: Partial<Sending> = {}) => {
      const { signed, plan } = purse.sign({ to: harness().stranger, units, ...sending })
      return {
        hash: signed.hash,
        plan,
        send: () => gate().broadcast(signed),
        fate: () => gate().fate([{ hash: signed.hash, plan }]),
      }
    }

  /** What is known of a transaction once it is in a block: where blocks are made when told to, in the next one. */
  async function mined({ fate, hash }: { fate(): Promise<Fate>; hash: string }) {
    await harness().mine(1)
    let found = await fate()
    if (!isTold)
      await expect
        .poll(async () => {
          found = await fate()
          return found.kind
        })
        .toBe('mined')
    if (found.kind !== 'mined') throw new Error(`${hash} is ${found.kind}.`)
    if (isTold) expect(found.block).toEqual(await tip())
    return found
  }

  /** Expects a transaction this many times in the blocks after `from`; a gate that sees only its own account cannot tell. */
  async function expectMined(hash: string, from: BlockRef, times: number): Promise<void> {
    if (traits.tagged) return
    const seen: Transfer[] = []
    const watched = harness().watch([harness().stranger])
    const { height } = await tip()
    for (let at = from.height + 1n; at <= height; at++)
      seen.push(...((await gate().block(at, watched))?.transfers ?? []))
    expect(seen.filter(({ txHash }) => txHash === hash)).toHaveLength(times)
  }

  describe('sending', () => {
    it('the gate names a fee rate that transactions can pay', async () => {
      expect((await gate().feeRate()) > 0n).toBe(true)
    })

    it('a transaction is unknown until it is sent, then it waits, and once mined it names its block and fee', async () => {
      const payment = signing(await harness().purse())()
      expect(await payment.fate()).toEqual({ kind: 'unknown' })
      expect(await payment.send()).toBeNull()
      if (isTold) expect(await payment.fate()).toEqual({ kind: 'waiting', hash: payment.hash })
      const fate = await mined(payment)
      expect(fate).toMatchObject({ hash: payment.hash, succeeded: true })
      expect(fate.feeUnits > 0n).toBe(true)
      expect(await gate().block(fate.block.height, harness().watch([]))).toMatchObject(fate.block)
      await harness().mine(2)
      expect(await payment.fate()).toEqual(fate)
    })

    it('the same bytes sent repeatedly, pending or mined, pay once', async () => {
      const from = await tip()
      const payment = signing(await harness().purse())()
      const answers = await Promise.all(Array.from({ length: 8 }, () => payment.send()))
      expect(new Set(answers)).toEqual(new Set([null]))
      await mined(payment)
      expect(await payment.send()).toBeNull()
      await harness().mine(2)
      expect(await payment.send()).toBeNull()
      await expectMined(payment.hash, from, 1)
    })

    it('invalid bytes and bytes with another hash are refused and change nothing', async () => {
      const { signed } = (await harness().purse()).sign({ to: harness().stranger, units })
      expect(await gate().broadcast({ hash: 'any', bytes: Buffer.from([1, 2, 3]) })).toEqual(
        expect.any(String),
      )
      expect(await gate().broadcast({ ...signed, hash: 'any' })).toEqual(expect.any(String))
      expect(await gate().pending(harness().watch([harness().stranger]))).toEqual([])
    })

    it('a transaction that conflicts with a mined one is refused, and ruled out from that block on', async () => {
      const sign = signing(await harness().purse())
      const [first, second] = [sign(), sign({ feeTimes: 9n })]
      await first.send()
      const { block } = await mined(first)
      expect(await second.send()).toEqual(expect.any(String))
      expect(await second.fate()).toMatchObject({ kind: 'ruled_out', block, reason: expect.any(String) })
      await harness().mine(2)
      expect(await second.fate()).toMatchObject({ kind: 'ruled_out', block })
      expect(await gate().fate([first, second])).toMatchObject({ kind: 'mined', hash: first.hash })
    })

    if (isTold)
      it('of two conflicting transactions only the one with the higher fee is mined, and their fate names it', async () => {
        const from = await tip()
        const sign = signing(await harness().purse())
        const [cheap, dear] = [sign(), sign({ feeTimes: 3n })]
        await cheap.send()
        expect(await dear.send()).toBeNull()
        expect(await cheap.send()).toEqual(expect.any(String))
        expect(await gate().fate([cheap, dear])).toEqual({ kind: 'waiting', hash: dear.hash })
        await harness().mine(1)
        expect(await gate().fate([cheap, dear])).toMatchObject({ kind: 'mined', hash: dear.hash })
        expect(await cheap.fate()).toMatchObject({ kind: 'ruled_out' })
        await harness().mine(3)
        await expectMined(cheap.hash, from, 0)
        await expectMined(dear.hash, from, 1)
      })
    else
      it('of several conflicting transactions sent at once one is mined, and their fate names it', async () => {
        const from = await tip()
        const sign = signing(await harness().purse())
        const rivals = [1n, 2n, 3n, 4n].map((feeTimes) => sign({ feeTimes }))
        await Promise.all(rivals.map(({ send }) => send()))
        const { hash, block } = await mined({ fate: () => gate().fate(rivals), hash: 'any' })
        await harness().mine(2)
        for (const rival of rivals) {
          const isMined = rival.hash === hash
          expect(await rival.fate()).toMatchObject({ kind: isMined ? 'mined' : 'ruled_out', block })
          await expectMined(rival.hash, from, isMined ? 1 : 0)
        }
      })

    for (const others of traits.reorganisations) {
      it(`after a reorganisation its fate is that on the new branch (${others})`, async () => {
        const payment = signing(await harness().purse())()
        await payment.send()
        await harness().mine(1)
        const old = await tip()
        await harness().reorganise(1, { others })
        const fate = await payment.fate()
        if (others === 'mempool') expect(fate).toEqual({ kind: 'waiting', hash: payment.hash })
        else {
          const height = others === 'same_height' ? old.height : old.height + 1n
          const block = await gate().block(height, harness().watch([]))
          expect(fate).toMatchObject({ kind: 'mined', block: { height, hash: block?.hash } })
          expect(block?.hash).not.toBe(old.hash)
        }
      })
    }

    if (traits.drops) {
      it('a transaction dropped by a reorganisation is unknown, and can be sent again', async () => {
        const payment = signing(await harness().purse())()
        await payment.send()
        await harness().mine(1)
        await harness().reorganise(1, { drop: [payment.hash] })
        expect(await payment.fate()).toEqual({ kind: 'unknown' })
        expect(await payment.send()).toBeNull()
        await harness().mine(1)
        expect(await payment.fate()).toMatchObject({ kind: 'mined', block: await tip() })
      })

      it('a transaction can be sent and mined once a reorganisation has dropped the one that ruled it out', async () => {
        const sign = signing(await harness().purse())
        const [first, second] = [sign(), sign({ feeTimes: 2n })]
        await first.send()
        await harness().mine(1)
        await harness().reorganise(1, { drop: [first.hash] })
        expect(await second.fate()).toEqual({ kind: 'unknown' })
        expect(await second.send()).toBeNull()
        await harness().mine(1)
        expect(await gate().fate([first, second])).toMatchObject({ kind: 'mined', hash: second.hash })
      })
    }

    if (traits.spends !== 'coins') {
      it('the balance of an account is its receipts less its payments and fees in blocks', async () => {
        const purse = await harness().purse()
        const balance = async () => (await gate().nativeBalance?.(purse.address)) ?? -1n
        const before = await balance()
        expect(before > units).toBe(true)
        const payment = signing(purse)()
        await payment.send()
        if (isTold) expect(await balance()).toBe(before)
        const { feeUnits: fee } = await mined(payment)
        // A token is not the native currency.
        const sent = payment.plan.kind !== 'coins' && payment.plan.contractAddress === null ? units : 0n
        expect(before - (await balance())).toBe(fee + sent)
      })
    }

    // A shared account cannot pay itself.
    if (traits.spends !== 'coins' && !traits.tagged)
      it('a payment is ruled out for good by a transaction that uses its nonce and pays no one', async () => {
        const from = await tip()
        const purse = await harness().purse()
        const sign = signing(purse)
        const payment = sign()
        const cancelling = sign({ to: { address: purse.address, tag: null }, units: 0n, feeTimes: 3n })
        expect(await cancelling.send()).toBeNull()
        const { block } = await mined(cancelling)
        expect(await payment.send()).toEqual(expect.any(String))
        expect(await payment.fate()).toMatchObject({ kind: 'ruled_out', block })
        expect(await gate().fate([payment, cancelling])).toMatchObject({
          kind: 'mined',
          hash: cancelling.hash,
          succeeded: true,
        })
        await harness().mine(2)
        await expectMined(payment.hash, from, 0)
      })

    if (traits.spends === 'nonce_account' && isTold)
      it('a value of a nonce account is used once, and the next one not before', async () => {
        const sign = signing(await harness().purse())
        const [zero, one] = [sign({ nth: 0 }), sign({ nth: 1 })]
        expect(await one.send()).toEqual(expect.any(String))
        expect(await one.fate()).toEqual({ kind: 'unknown' })
        expect(await zero.send()).toBeNull()
        expect(await one.send()).toEqual(expect.any(String))
        await harness().mine(1)
        expect(await zero.fate()).toMatchObject({ kind: 'mined' })
        expect(await one.send()).toBeNull()
        await harness().mine(1)
        expect(await one.fate()).toMatchObject({ kind: 'mined' })
        expect(await sign({ nth: 0, feeTimes: 2n }).send()).toEqual(expect.any(String))
      })

    if (traits.spends === 'account') {
      it('an account’s transactions are mined by nonce, not in the order in which they were sent, and none before its turn', async () => {
        const purse = await harness().purse()
        const sign = signing(purse)
        const [zero, one, two] = [sign({ nth: 0 }), sign({ nth: 1 }), sign({ nth: 2 })]
        const next = await gate().nextNonce(purse.address)
        expect(await two.send()).toBeNull()
        expect(await one.send()).toBeNull()
        await harness().mine(2)
        expect(await one.fate()).toMatchObject({ kind: 'waiting' })
        expect(await gate().nextNonce(purse.address)).toBe(next)
        expect(await zero.send()).toBeNull()
        await harness().mine(1)
        for (const payment of [zero, one, two]) expect(await payment.fate()).toMatchObject({ kind: 'mined' })
        expect(await gate().nextNonce(purse.address)).toBe(next + 3n)
        expect(await sign({ nth: 1, feeTimes: 2n }).send()).toEqual(expect.any(String))
      })
    } else if (traits.spends === 'coins') {
      it('on a network with coins, addresses have no nonces', async () => {
        const purse = await harness().purse()
        await signing(purse)().send()
        await harness().mine(1)
        expect(await gate().nextNonce(purse.address)).toBe(0n)
      })
    }

    it('an outage is reported as such by every request about sending', async () => {
      const payment = signing(await harness().purse())()
      await harness().stop()
      for (const ask of [payment.send, payment.fate]) await expect(ask()).rejects.toBeInstanceOf(OutageError)
      await harness().start()
      expect(await payment.fate()).toEqual({ kind: 'unknown' })
      expect(await payment.send()).toBeNull()
    })
  })
}
