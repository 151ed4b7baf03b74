import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hex } from '@scure/base'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { p2wpkhAddress } from '../../../src/gates/bitcoin/address.ts'
import { scriptOf } from '../../../src/gates/bitcoin/network.ts'
import { type CoinNode, coinNetworks } from '../../support/nodes/coin-node.ts'

const key = hex.decode('11'.repeat(32))
const publicKey = secp256k1.getPublicKey(key)
const { script } = p2wpkh(publicKey)
// BIP-125. Litecoin's nodes replace only transactions that signal it; Bitcoin's, since Bitcoin Core 28, any that is outbid.
const sequences = { litecoin: 0xfffffffd, bitcoin: 0xffffffff }
const leastFeeUnits = 5_000n

type Coin = { readonly txid: string; readonly index: number; readonly amount: bigint }
export type Output = { readonly address: string; readonly units: bigint }

/** A payer with many coins, who can put any outputs into a transaction and spend a coin twice. */
export type Payer = {
  readonly address: string
  /** Sends a transaction with exactly these outputs first, in this order. */
  pay(outputs: readonly Output[]): Promise<string>
  /** Sends a transaction that spends the same coin as an earlier one, with a higher fee. */
  replace(hash: string, outputs: readonly Output[]): Promise<string>
}

const coinUnits = 60_000_000n
const coinsPerBlock = 80

/** Mines the first blocks of a chain and splits their rewards. */
export async function makePayer(node: CoinNode, blocks = 3): Promise<Payer> {
  const address = p2wpkhAddress(coinNetworks[node.coin].rules.regtest, publicKey)
  const hashes: string[] = await node.ask('generatetoaddress', blocks, address)
  await node.mine(100)
  const coins: Coin[] = []
  for (const hash of hashes) {
    const [coinbase] = (await node.ask('getblock', hash, 1)).tx
    const split = sign(
      node.coin,
      { txid: coinbase, index: 0, amount: 5_000_000_000n },
      Array.from({ length: coinsPerBlock }, () => ({ address, units: coinUnits })),
      0n,
    )
    await node.ask('sendrawtransaction', split.hex, 0)
    for (let index = 0; index < coinsPerBlock; index++)
      coins.push({ txid: split.id, index, amount: coinUnits })
  }
  await node.mine(1)

  const spent = new Map<string, { coin: Coin; fee: bigint }>()
  async function send(coin: Coin, outputs: readonly Output[], fee: bigint): Promise<string> {
    const { id, hex: raw } = sign(node.coin, coin, outputs, fee)
    await node.ask('sendrawtransaction', raw, 0)
    spent.set(id, { coin, fee })
    return id
  }

  return {
    address,
    async pay(outputs) {
      const coin = coins.shift()
      if (coin === undefined) throw new Error('The payer has no coins left.')
      return send(coin, outputs, leastFeeUnits)
    },
    async replace(hash, outputs) {
      const earlier = spent.get(hash)
      if (earlier === undefined) throw new Error(`${hash} was not sent by the payer.`)
      return send(earlier.coin, outputs, earlier.fee * 3n)
    },
  }
}

/** The rest is returned as the last output; without a fee given, it is the fee. */
function sign(
  of: CoinNode['coin'],
  coin: Coin,
  outputs: readonly Output[],
  fee: bigint,
): { id: string; hex: string } {
  const transaction = new Transaction({ version: 2, allowUnknownOutputs: true })
  transaction.addInput({
    txid: coin.txid,
    index: coin.index,
    sequence: sequences[of],
    witnessUtxo: { script, amount: coin.amount },
  })
  for (const { address, units } of outputs)
    transaction.addOutput({ script: scriptOf(coinNetworks[of].rules.regtest, address), amount: units })
  const rest = coin.amount - outputs.reduce((sum, { units }) => sum + units, fee)
  if (fee > 0n) transaction.addOutput({ script, amount: rest })
  transaction.sign(key)
  transaction.finalize()
  return { id: transaction.id, hex: transaction.hex }
}
