import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hex } from '@scure/base'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { litecoin } from '../../server/src/domain/networks/litecoin.ts'
import { p2wpkhAddress } from '../../server/src/gates/bitcoin/address.ts'
import { scriptOf } from '../../server/src/gates/bitcoin/network.ts'
import type { CoinNode } from '../../server/test/support/nodes/coin-node.ts'

const rules = litecoin.rules.regtest
const key = hex.decode('22'.repeat(32))
const publicKey = secp256k1.getPublicKey(key)
const { script } = p2wpkh(publicKey)
const feeUnits = 50_000n
const paidUnits = 5_000n
const coinbaseUnits = 5_000_000_000n

type Coin = { readonly txid: string; readonly index: number; readonly amount: bigint }

/** Mines enough coins for this many transactions per block, and returns the function that makes such blocks. */
export async function makeFiller(node: CoinNode, perBlock: number, outputs: number) {
  const [first = ''] = await node.ask('generatetoaddress', 1, p2wpkhAddress(rules, publicKey))
  await node.mine(100)
  const [coinbase] = (await node.ask('getblock', first, 1)).tx
  const share = coinbaseUnits / BigInt(perBlock)
  const split = sign(
    { txid: coinbase, index: 0, amount: coinbaseUnits },
    Array.from({ length: perBlock }, (_, at) => ({ script, amount: at === 0 ? share - feeUnits : share })),
  )
  await node.mineExactly([split.raw])
  let coins: Coin[] = Array.from({ length: perBlock }, (_, index) => ({
    txid: split.id,
    index,
    amount: index === 0 ? share - feeUnits : share,
  }))
  // Foreign addresses, the same in every block: their values do not affect the measurement.
  const strangers = Array.from({ length: outputs }, (_, at) =>
    hex.decode(`0014${at.toString(16).padStart(40, 'c')}`),
  )

  return async (ours: readonly string[]): Promise<void> => {
    const scripts = [...ours.map((address) => scriptOf(rules, address)), ...strangers].slice(0, outputs)
    const signed = coins.map((coin, at) => {
      const paid = (at === 0 ? scripts : strangers).map((to) => ({ script: to, amount: paidUnits }))
      const rest = coin.amount - paidUnits * BigInt(paid.length) - feeUnits
      return { ...sign(coin, [...paid, { script, amount: rest }]), rest, index: paid.length }
    })
    coins = signed.map(({ id, rest, index }) => ({ txid: id, index, amount: rest }))
    await node.mineExactly(signed.map(({ raw }) => raw))
  }
}

function sign(coin: Coin, outputs: readonly { script: Uint8Array; amount: bigint }[]) {
  const transaction = new Transaction({ version: 2 })
  transaction.addInput({
    txid: coin.txid,
    index: coin.index,
    witnessUtxo: { script, amount: coin.amount },
  })
  for (const output of outputs) transaction.addOutput(output)
  transaction.sign(key)
  transaction.finalize()
  return { id: transaction.id, raw: transaction.hex }
}
