import { expect, it, onTestFinished } from 'vitest'
import { type GateEntry, readGates, registryWith } from '../../../src/settings/gate-config.ts'
import { publicKeys } from '../../simulator/gate/keys.ts'
import { changing, type Fault } from '../../support/nodes/fault-proxy.ts'
import type { Json } from '../../support/nodes/xrp-ledger.ts'
import { currencies, networks } from '../../support/shop/registry.ts'
import { issuer, rippleUsd, stranger, xrpHarness } from '../xrp/harness.ts'
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

it('payments in currencies that a configured gate lists are looked at like those in XRP, also what goes back to an issuer', async () => {
  const harness = await xrpHarness({}, 1)
  onTestFinished(() => harness.close())
  await harness.mine(4)
  harness.send({ Amount: { ...rippleUsd, value: '2.5' }, DestinationTag: 7 })
  harness.send({ Amount: { ...rippleUsd, value: '1' }, Destination: stranger })
  await harness.mine(1)
  harness.send({ Amount: { ...rippleUsd, value: '3' }, Destination: issuer.address })
  await harness.mine(1)
  const entry: GateEntry = {
    network: 'xrp',
    environment: 'test',
    kind: 'xrp',
    rpc_url: harness.proxy.url,
    tokens: [{ code: 'RLUSD', contract: `${rippleUsd.currency}.${rippleUsd.issuer}`, decimals: 6 }],
  }
  const assets = registryWith(currencies, [entry])
  const configured = { assets, gates: readGates(networks, [entry]) }
  const { names, of } = await trying('xrp', null, [], { blocks: 5, configured })
  expect(names('failed')).toEqual([])
  expect(of('alone')).toMatchObject({ state: 'passed', says: expect.stringContaining('2 payments') })
})
