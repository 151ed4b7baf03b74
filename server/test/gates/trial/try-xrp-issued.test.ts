import { expect, it, onTestFinished } from 'vitest'
import { publicKeys } from '../../simulator/gate/keys.ts'
import { changing, type Fault } from '../../support/nodes/fault-proxy.ts'
import type { Json } from '../../support/nodes/xrp-ledger.ts'
import { rippleUsd, xrpHarness } from '../xrp/harness.ts'
import { trying } from './trying.ts'

it('an issued amount that did not arrive, or that arrived by no bytes', async () => {
  const harness = await xrpHarness({}, 1)
  onTestFinished(() => harness.close())
  const tried = () => trying('xrp', '1', [harness.proxy.url], { blocks: 5 })
  await harness.mine(4)
  const issued = harness.send({ Amount: { ...rippleUsd, value: '2.5' }, DestinationTag: 7 })
  await harness.mine(1)
  expect((await tried()).names('failed')).toEqual([])
  const changingIssued = (change: (transaction: Json) => Json): Fault =>
    changing('ledger', (result) => ({
      ...result,
      ledger: {
        ...result.ledger,
        transactions: result.ledger?.transactions?.map((each: Json) =>
          each.hash === issued && each.metaData !== undefined ? change(each) : each,
        ),
      },
    }))
  const more = (transaction: Json) => JSON.parse(JSON.stringify(transaction).replaceAll('2.5"', '900"'))
  harness.proxy.fault = changingIssued((transaction) => ({
    ...transaction,
    metaData: { ...transaction.metaData, delivered_amount: { ...rippleUsd, value: '900' } },
  }))
  expect((await tried()).of('payments').lie).toMatchObject({
    said: `that ${issued} delivered 900 ${rippleUsd.currency} to ${publicKeys.xrp}`,
    truth: 'in the same answer its trust lines change by 2.5',
  })
  harness.proxy.fault = changingIssued(more)
  const { of } = await tried()
  expect(of('payments').lie).toBeNull()
  expect(of('hashes').lie).toMatchObject({
    said: expect.stringMatching(/ changes the trust line .* by -?900$/),
    truth: expect.stringMatching(/^by its bytes, whose hash is right, it is -?(2[.]5|897[.]5)$/),
  })
})
