import { formatDecimal } from '../../src/domain/money.ts'
import { gateId } from '../../src/domain/networks/network.ts'
import { plainTransaction } from '../../src/gates/bitcoin/plain-transaction.ts'
import { type GateChains, openWallet, type Wallet } from '../../src/signer/wallet.ts'
import { addressIn, type CoinNode } from '../support/nodes/coin-node.ts'
import type { PasskeyDesk } from '../support/people/passkey-desk.ts'
import { currencies } from '../support/shop/registry.ts'
import { deskWords } from '../support/signer/signer-desk.ts'
import type { Ground } from './prepared.ts'

/** A wallet on the node's chain that the signer takes for a live one: only live payouts need passkeys. */
export async function regtestWallet(coin: CoinNode['coin']): Promise<Wallet> {
  const chains: GateChains = new Map([[gateId(coin, 'test'), { kind: 'bitcoin', written: 'regtest' }]])
  return { ...(await openWallet(deskWords, 'test', currencies, chains)), environment: 'live' }
}

/** The ground of a real node: its wallet pays the coins. */
export function coinGround(
  node: CoinNode,
  { listed, unlisted }: { readonly listed: string; readonly unlisted: string },
): (desk: PasskeyDesk) => Promise<Ground> {
  return async (desk) => ({
    coinNetwork: node.coin,
    async coin(units, index) {
      const key = { chain: 'deposit', index } as const
      const address = desk.wallet.addressAt(node.coin, key)
      const txHash: string = await node.ask('sendtoaddress', address, formatDecimal(units, 8))
      const { hex, vout } = await node.ask('getrawtransaction', txHash, true)
      const bytes = plainTransaction(Buffer.from(hex, 'hex'), txHash)
      if (bytes === null) throw new Error('The node shows another transaction.')
      await desk.app.store.previousTransactions.add(`${node.coin}-live`, [{ hash: txHash, bytes }])
      const outputIndex = vout.findIndex(
        ({ scriptPubKey }: { scriptPubKey: unknown }) => addressIn(scriptPubKey) === address,
      )
      return { txHash, outputIndex, units, key }
    },
    listed: { coins: listed, account: '', solana: '' },
    unlisted: { coins: unlisted, account: '', solana: '' },
    cold: { coins: await node.ask('getnewaddress'), account: '', solana: '' },
    nonce: () => 0n,
    families: ['coins'],
    currencies: [],
  })
}
