import { encodeDeployData, encodeFunctionData } from 'viem'
import { gateId } from '../../src/domain/networks/network.ts'
import { hotKey, type KeyPath } from '../../src/domain/spends.ts'
import { type GateChains, openWallet, type Wallet } from '../../src/signer/wallet.ts'
import type { Anvil } from '../support/nodes/anvil.ts'
import { compileContracts } from '../support/nodes/solidity.ts'
import { currencies } from '../support/shop/registry.ts'
import { deskWords } from '../support/signer/signer-desk.ts'
import type { Ground } from './prepared.ts'

const ether = 10n ** 18n
const supply = 10n ** 15n
const own: readonly KeyPath[] = [hotKey, ...[0, 1, 2].map((index) => ({ chain: 'deposit', index }) as const)]

/** What an address holds, as the node says. */
export type Held = { readonly ETH: bigint; readonly USDT: bigint }

/** The ground of a real Ethereum node: a token of its own, and a wallet whose addresses have funds. */
export async function evmGround(anvil: Anvil, addresses: Pick<Ground, 'listed' | 'unlisted' | 'cold'>) {
  const token = (await compileContracts()).get('PlainToken')
  if (token === undefined) throw new Error('There is no contract of a plain token.')
  const [payer]: string[] = await anvil.ask('eth_accounts')
  const send = (fields: object) =>
    anvil.ask('eth_sendTransaction', { from: payer, gas: '0x1e8480', ...fields })
  const deployed = await send({ data: encodeDeployData({ ...token, args: [supply] }) })
  await anvil.mine()
  const contract: string = (await anvil.ask('eth_getTransactionReceipt', deployed)).contractAddress
  const chains: GateChains = new Map([
    [
      gateId('ethereum', 'test'),
      {
        kind: 'evm',
        chainId: anvil.chainId,
        tokens: [{ code: 'USDT', contract }],
        hasDataFee: false,
      },
    ],
  ])
  // The signer takes it for a live one: only live payouts need passkeys.
  const wallet: Wallet = {
    ...(await openWallet(deskWords, 'test', currencies, chains)),
    environment: 'live',
  }
  const call = (functionName: string, ...args: readonly unknown[]) =>
    encodeFunctionData({ abi: token.abi, functionName, args })
  for (const key of own) {
    const address = wallet.addressAt('ethereum', key)
    await send({ to: address, value: `0x${ether.toString(16)}` })
    await send({ to: contract, data: call('transfer', address, 10n ** 9n) })
  }
  await anvil.mine()

  const nonces = new Map<string, bigint>()
  const ground: Ground = {
    ...addresses,
    coinNetwork: 'bitcoin',
    coin: () => Promise.reject(new Error('This ground has no coins.')),
    nonce(address) {
      const next = nonces.get(address) ?? 0n
      nonces.set(address, next + 1n)
      return next
    },
    families: ['account'],
    currencies: ['ETH', 'USDT', 'ETH', 'USDT'],
  }
  return {
    wallet,
    ground,
    /** What these addresses hold. */
    async held(of: readonly string[]): Promise<Held[]> {
      const answers: string[] = await anvil.askMany(
        of.flatMap((address) => [
          ['eth_getBalance', address, 'latest'] as const,
          ['eth_call', { to: contract, data: call('balanceOf', address) }, 'latest'] as const,
        ]),
      )
      return of.map((_, at) => ({
        ETH: BigInt(answers[2 * at] ?? 0),
        USDT: BigInt(answers[2 * at + 1] ?? 0),
      }))
    },
  }
}
