import { describe, expect, it } from 'vitest'
import { findWallets, sendFromWallet, showToken, type Wallet, type WalletProvider } from '../src/wallets.ts'
import { tether } from './fixtures.ts'

const from = '0x1111111111111111111111111111111111111111'
const wanted = tether.wallet_transaction
if (wanted === null) throw new Error('The fixture should have a transaction.')

type Behaviour = { chain?: string; fails?: Record<string, unknown>; switches?: boolean }

/** A wallet that records its calls, and refuses those that it is told to. */
function wallet({ chain = '0x1', fails = {}, switches = true }: Behaviour = {}) {
  const asked: { method: string; params?: readonly unknown[] | object }[] = []
  let on = chain
  const provider: WalletProvider = {
    async request(call) {
      asked.push(call)
      if (call.method in fails) throw fails[call.method]
      if (call.method === 'eth_requestAccounts') return [from]
      if (call.method === 'eth_chainId') return on
      if (call.method === 'wallet_switchEthereumChain' && switches)
        on = (call.params as [{ chainId: string }])[0].chainId
      if (call.method === 'wallet_watchAsset') return true
      return call.method === 'eth_sendTransaction' ? '0xhash' : null
    },
  }
  return { provider, asked, sent: () => asked.filter(({ method }) => method === 'eth_sendTransaction') }
}

describe('sending from a wallet', () => {
  it('requests exactly the service’s transaction, from the account that the payer chose', async () => {
    const { provider, sent } = wallet()
    expect(await sendFromWallet(provider, () => wanted)).toBe('sent')
    expect(sent()).toEqual([
      {
        method: 'eth_sendTransaction',
        params: [{ from, to: wanted.to, value: wanted.value, data: wanted.data }],
      },
    ])
  })

  it('leaves data out if there is none', async () => {
    const { provider, sent } = wallet()
    await sendFromWallet(provider, () => ({ ...wanted, data: null }))
    expect(sent()).toMatchObject([{ params: [expect.not.objectContaining({ data: expect.anything() })] }])
  })

  it('switches to the right chain first, and never sends on another', async () => {
    const willing = wallet({ chain: '0x89' })
    expect(await sendFromWallet(willing.provider, () => wanted)).toBe('sent')
    expect(willing.asked.map(({ method }) => method)).toEqual([
      'eth_requestAccounts',
      'eth_chainId',
      'wallet_switchEthereumChain',
      'eth_chainId',
      'eth_sendTransaction',
    ])
    const stubborn = wallet({ chain: '0x89', switches: false })
    expect(await sendFromWallet(stubborn.provider, () => wanted)).toBe('wrong_network')
    expect(stubborn.sent()).toEqual([])
  })

  it('reports that the wallet does not know the chain, however deep the wallet hides the reason', async () => {
    for (const reason of [{ code: 4902 }, { code: -32603, data: { originalError: { code: 4902 } } }]) {
      const { provider, sent } = wallet({ chain: '0x89', fails: { wallet_switchEthereumChain: reason } })
      expect(await sendFromWallet(provider, () => wanted)).toBe('no_network')
      expect(sent()).toEqual([])
    }
  })

  it('does not treat a payer’s refusal as an error, at any step', async () => {
    for (const method of ['eth_requestAccounts', 'wallet_switchEthereumChain', 'eth_sendTransaction']) {
      const { provider } = wallet({ chain: '0x89', fails: { [method]: { code: 4001 } } })
      expect(await sendFromWallet(provider, () => wanted)).toBe('rejected')
    }
  })

  it('sends nothing if the payment has changed or is gone by the time the payer agrees', async () => {
    for (const later of [null, { ...wanted, value: '0x1' }]) {
      const { provider, sent } = wallet()
      let reads = 0
      expect(await sendFromWallet(provider, () => (reads++ === 0 ? wanted : later))).toBe('changed')
      expect(sent()).toEqual([])
    }
  })

  it('claims nothing after any other failure', async () => {
    for (const reason of [new Error('no'), 'text', null, { code: -32000 }]) {
      const { provider } = wallet({ fails: { eth_sendTransaction: reason } })
      expect(await sendFromWallet(provider, () => wanted)).toBe('failed')
    }
  })
})

describe('showing a token', () => {
  const { chain_id, token } = wanted
  if (token === null) throw new Error('The fixture should be a token.')

  it('names the token’s contract on its chain, and asks for no account', async () => {
    const { provider, asked } = wallet({ chain: '0x89' })
    expect(await showToken(provider, { chain_id, token })).toBe(true)
    expect(asked.map(({ method }) => method)).toEqual([
      'eth_chainId',
      'wallet_switchEthereumChain',
      'eth_chainId',
      'wallet_watchAsset',
    ])
    expect(asked.at(-1)?.params).toEqual({
      type: 'ERC20',
      options: { address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', symbol: 'USDT', decimals: 6 },
    })
  })

  it('shows nothing on another chain, or when the payer declines', async () => {
    const stubborn = wallet({ chain: '0x89', switches: false })
    expect(await showToken(stubborn.provider, { chain_id, token })).toBe(false)
    expect(stubborn.asked.map(({ method }) => method)).not.toContain('wallet_watchAsset')
    const declined = wallet({ fails: { wallet_watchAsset: { code: 4001 } } })
    expect(await showToken(declined.provider, { chain_id, token })).toBe(false)
  })
})

describe('finding wallets', () => {
  const announce = (page: EventTarget, detail: unknown) =>
    page.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail }))
  const { provider } = wallet()
  const info = { uuid: 'a', name: 'Fox', icon: 'data:image/svg+xml,x', rdns: 'fox' }

  const search = (page: EventTarget) => {
    const lists: (readonly Wallet[])[] = []
    const end = findWallets(page, (wallets) => lists.push(wallets))
    return { lists, end }
  }

  it('lists each wallet that announces itself once, whether asked or not', () => {
    const page = new EventTarget()
    page.addEventListener('eip6963:requestProvider', () => announce(page, { info, provider }))
    const { lists, end } = search(page)
    announce(page, { info, provider })
    announce(page, { info: { ...info, uuid: 'b', name: 'Hare' }, provider })
    expect(lists.at(-1)?.map(({ name }) => name)).toEqual(['Fox', 'Hare'])
    expect(lists).toHaveLength(2)
    end()
    announce(page, { info: { ...info, uuid: 'c' }, provider })
    expect(lists).toHaveLength(2)
  })

  it('ignores what is not a wallet, and shows no remote images', () => {
    const page = new EventTarget()
    const { lists } = search(page)
    for (const detail of [null, {}, { info }, { info: { uuid: 1 }, provider }, { provider }])
      announce(page, detail)
    expect(lists).toEqual([])
    announce(page, { info: { ...info, icon: 'https://evil.example/spy.png' }, provider })
    expect(lists[0]?.[0]?.icon).toBeNull()
  })

  it('uses the wallet in the window if none announces itself, and drops it when one does', () => {
    const page = Object.assign(new EventTarget(), { ethereum: provider })
    const { lists } = search(page)
    expect(lists[0]?.map(({ id }) => id)).toEqual(['window.ethereum'])
    announce(page, { info, provider })
    expect(lists[1]?.map(({ name }) => name)).toEqual(['Fox'])
  })

  it('shows a bounded number, however many extensions announce', () => {
    const page = new EventTarget()
    const { lists } = search(page)
    for (let index = 0; index < 100; index++)
      announce(page, { info: { ...info, uuid: String(index) }, provider })
    expect(lists.at(-1)).toHaveLength(8)
  })
})
