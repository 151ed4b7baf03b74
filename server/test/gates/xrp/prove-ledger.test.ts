import { decode } from 'ripple-binary-codec'
import { expect, it } from 'vitest'
import type { NodeRpc } from '../../../src/gates/json-rpc.ts'
import { refuseForged } from '../../../src/gates/xrp/delivered.ts'
import { transfersIn } from '../../../src/gates/xrp/node-transfers.ts'
import { proveLedger } from '../../../src/gates/xrp/prove-ledger.ts'
import type { Json } from '../../support/nodes/xrp-ledger.ts'

// Ledger 38129 of the main network, as the tests of the ledger's own library have it. In it, one payment creates an account.
const ledger_hash = 'E6DB7365949BF9814D76BCC730B01818EB9136A89DB224F3F9F5AAE4569D758E'
const parent_hash = '3401E5B2E5D3A53EB0891088A5F2D9364BBB6CE5B37A337D2C0660DAF9C4175E'
const transaction_hash = 'DB83BF807416C5B3499A73130F843CF615AB8E797D79FE7D330ADF1BFA93951A'
const account_hash = '2C23D15B6B549123FB351E4B5CDE81C564318EB845449CD43C3EA7953C4DB452'
const hash = '3B1A4E1C9BB6A7208EB146BCDB86ECEA6068ED01466D933528CA2B4C64F753EF'
const seconds = 410_424_200
const inHex = (value: bigint, bytes: number) =>
  value
    .toString(16)
    .padStart(2 * bytes, '0')
    .toUpperCase()
const time = inHex(BigInt(seconds), 4)
const ledger_data = [
  inHex(38_129n, 4),
  inHex(99_999_999_999_996_310n, 8),
  parent_hash,
  transaction_hash,
  account_hash,
  time,
  time,
  '0A00',
].join('')
const tx_blob =
  '1200002200000000240000003E6140000002540BE40068400000000000000A7321034AADB09CFF4A4804073701EC53C3510CDC95917C2BB0150FB742D0' +
  'C66E6CEE9E74473045022022EB32AECEF7C644C891C19F87966DF9C62B1F34BABA6BE774325E4BB8E2DD62022100A51437898C28C2B297112DF8131F2B' +
  'B39EA5FE613487DDD611525F17962646398114550FC62003E785DC231A1058A05E56E3F09CF4E68314D4CC8AB5B21D86A82C3E9E8D0ECF2404B77FECBA'
const meta =
  '201C00000000F8E3110061564C6ACBD635B0F07101F7FA25871B0925F8836155462152172755845CE691C49EE824000000016240000002540BE4008114D4' +
  'CC8AB5B21D86A82C3E9E8D0ECF2404B77FECBAE1E1E51100612500007A55552485FDC606352F1B0785DA5DE96FB9DBAF43EB60ECBB01B7F6FA970F512CDA5F' +
  '56B33FDD5CF3445E1A7F2BE9B06336BEBD73A5E3EE885D3EF93F7E3E2992E46F1AE6240000003E62400000E6D8EEB01EE1E72200000000240000003F2D0000' +
  '000062400000E484E2CC148114550FC62003E785DC231A1058A05E56E3F09CF4E6E1E1F1031000'
const transaction: Json = { ...decode(tx_blob), hash, metaData: decode(meta) }
const receiver = String(transaction.Destination)
const minedAt = new Date((seconds + 946_684_800) * 1000)
const block = { height: 38_129n, hash: ledger_hash, parentHash: parent_hash, minedAt, transfers: [] }

/** Proves the ledger on a server that shows it, changed as given. */
function proving({ shown = transaction, bytes = {} }: { shown?: Json; bytes?: Json } = {}): Promise<string> {
  const names = { validated: true, ledger_hash, ledger_index: 38_129 }
  const rpc: NodeRpc = {
    call: async (_, params) =>
      (params as Json).binary === true
        ? { ledger: { closed: true, ledger_data, transactions: [{ tx_blob, meta }], ...bytes }, ...names }
        : {
            ledger: {
              ledger_hash,
              parent_hash,
              ledger_index: '38129',
              close_time: seconds,
              transactions: [shown].flat(),
            },
            ...names,
          },
    batch: async () => [],
    close: () => {},
  }
  return proveLedger(rpc, block)
}

it('a ledger of the main network is proved whole', async () => {
  expect(await proving()).toBe(
    'header, parent, every transaction, and all of it that decides what Sluice credits',
  )
})

it.each<[string, Json, string]>([
  [
    'other flags',
    { bytes: { ledger_data: ledger_data.replace('0A00', '0A01') } },
    'the hash of these 118 bytes is',
  ],
  [
    'other metadata',
    { bytes: { transactions: [{ tx_blob, meta: meta.replace('031000', '031001') }] } },
    'whose tree has the hash',
  ],
  [
    'a transaction twice',
    {
      bytes: {
        transactions: [
          { tx_blob, meta },
          { tx_blob, meta },
        ],
      },
    },
    `says that ${hash} is in it twice`,
  ],
  ['no transaction in words', { shown: [] }, `says that ${hash} is not in it`],
  [
    'another receiver',
    { shown: { ...transaction, Destination: transaction.Account } },
    `that the receiver of ${hash} is`,
  ],
  ['a tag', { shown: { ...transaction, DestinationTag: 7 } }, `that the destination tag of ${hash} is 7`],
  [
    'a larger balance of the account that it creates',
    {
      shown: JSON.parse(
        JSON.stringify(transaction).replaceAll('"Balance":"10000000000"', '"Balance":"10000000001"'),
      ),
    },
    `changes the balance of ${receiver} by 10000000001 drops, but by its bytes, whose hash is right, it is 10000000000`,
  ],
])('of a server that shows %s, the lie is named', async (_, wrong, words) => {
  await expect(proving(wrong)).rejects.toThrow(words)
})

const xrp = 1_000_000n
const { metaData } = transaction
const fee = 1_000_000n * xrp
/** The receiver is said to have paid a large fee, so that it got as much more. */
const payingFee = {
  Fee: String(fee),
  metaData: { ...metaData, delivered_amount: String(10_000n * xrp + fee) },
}
const endedEscrow = {
  DeletedNode: {
    LedgerEntryType: 'Escrow',
    FinalFields: { Account: transaction.Account, Destination: receiver, DestinationTag: 666 },
  },
}

it.each<[string, Json, { tag: string | null; units: bigint } | null, string]>([
  [
    'that a payment failed',
    { metaData: { ...metaData, TransactionResult: 'tecPATH_DRY' } },
    null,
    `that the outcome of ${hash} is failure, but by its bytes, whose hash is right, it is success`,
  ],
  [
    'that the receiver has sent it as a delegate',
    { ...payingFee, Delegate: receiver },
    { tag: null, units: 1_010_000n * xrp },
    `that the delegate of ${hash} is ${receiver}, but by its bytes, whose hash is right, it is none`,
  ],
  [
    'that the receiver has cashed a check',
    { ...payingFee, TransactionType: 'CheckCash', Account: receiver },
    { tag: null, units: 1_010_000n * xrp },
    `that the type of ${hash} is another, but by its bytes, whose hash is right, it is Payment`,
  ],
  [
    'that an escrow has ended',
    {
      TransactionType: 'EscrowFinish',
      metaData: { ...metaData, AffectedNodes: [...metaData.AffectedNodes, endedEscrow] },
    },
    { tag: '666', units: 10_000n * xrp },
    `that the type of ${hash} is EscrowFinish, but by its bytes, whose hash is right, it is Payment`,
  ],
])(
  'a server that says %s is named, though all that it says fits together',
  async (_, forged, believed, words) => {
    const delivered = { ...metaData, delivered_amount: String(10_000n * xrp) }
    const shown = { ...transaction, metaData: delivered, ...forged }
    refuseForged('ledger 38129', [shown])
    const credited = transfersIn([shown], { account: receiver, currency: 'XRP' })
    expect(credited.map(({ tag, units }) => ({ tag, units }))).toEqual(believed === null ? [] : [believed])
    await expect(proving({ shown })).rejects.toThrow(words)
  },
)

it('a server that shows no bytes proves nothing, and is no liar for it', async () => {
  await expect(proving({ bytes: { ledger_data: undefined } })).rejects.toThrow(
    'does not show the bytes of ledgers',
  )
  await expect(proving({ bytes: { transactions: [{ tx_blob }] } })).rejects.toThrow(
    'the bytes of transactions',
  )
})

it('more or longer transactions than a ledger can hold are not believed', async () => {
  const long = (bytes: number) => ({ bytes: { transactions: [{ tx_blob, meta: 'AB'.repeat(bytes) }] } })
  await expect(proving(long(200_000))).rejects.toThrow('whose tree has the hash')
  await expect(proving(long(918_744))).rejects.toThrow('whose tree has the hash')
  await expect(proving(long(918_745))).rejects.toThrow('a transaction has 918745 bytes')
  const many = (count: number) => ({
    bytes: {
      transactions: Array.from({ length: count }, (_, at) => ({ tx_blob: inHex(BigInt(at), 4), meta })),
    },
  })
  await expect(proving(many(20_000))).rejects.toThrow('whose tree has the hash')
  await expect(proving(many(20_001))).rejects.toThrow('a ledger has 20001 transactions')
})
