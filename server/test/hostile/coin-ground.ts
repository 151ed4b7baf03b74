import { formatDecimal } from '../../src/domain/money.ts'
import { plainTransaction } from '../../src/gates/bitcoin/plain-transaction.ts'
import { openWallet, type Wallet } from '../../src/signer/wallet.ts'
import type { CoinNode } from '../support/nodes/coin-node.ts'
import type { PasskeyDesk } from '../support/people/passkey-desk.ts'
import { currencies } from '../support/shop/registry.ts'
import { deskWords } from '../support/signer/signer-desk.ts'
import type { Ground } from './prepared.ts'

/** A wallet on the node's chain that the signer takes for a live one: only live payouts need passkeys. */
export async function regtestWallet(): Promise<Wallet> {
  const chains = new Map([['bitcoin-test', { kind: 'bitcoin', written: 'regtest' }]] as const)
  return { ...(await openWallet(deskWords, 'test', currencies, chains)), environment: 'live' }
}

/** The ground of a real node: its wallet pays the coins. */
export function coinGround(node: CoinNode, destination: string): (desk: PasskeyDesk) => Promise<Ground> {
  return async (desk) => ({
    async coin(units, index) {
      const key = { chain: 'deposit', index } as const
      const address = desk.wallet.addressAt('bitcoin', key)
      const txHash: string = await node.ask('sendtoaddress', address, formatDecimal(units, 8))
      const { hex, vout } = await node.ask('getrawtransaction', txHash, true)
      const bytes = plainTransaction(Buffer.from(hex, 'hex'), txHash)
      if (bytes === null) throw new Error('The node shows another transaction.')
      await desk.app.store.previousTransactions.add('bitcoin-live', [{ hash: txHash, bytes }])
      const outputIndex = vout.findIndex(
        (output: { scriptPubKey: { address: string } }) => output.scriptPubKey.address === address,
      )
      return { txHash, outputIndex, units, key }
    },
    destinations: { coins: destination, account: '' },
    cold: { bitcoin: await node.ask('getnewaddress'), ethereum: '' },
    nonce: () => 0n,
    families: ['coins'],
  })
}
