import { describe, expect, it } from 'vitest'
import { RefusedError, UnreachableError } from '../src/api.ts'
import { findSolanaWallets, type SolanaWallet, sendFromSolanaWallet } from '../src/solana-wallets.ts'

const chain = 'solana:mainnet'
const payment = { chain, ticket: 'AZqG', amount: '49.9' }
const account = { address: 'Payer', chains: [chain] }
const bytes = new Uint8Array([1, 2, 3])

/** A wallet of the Wallet Standard that records what it is asked to send. */
function wallet({ name = 'Ghost', chains = [chain], accounts = [account], fails = null as unknown } = {}) {
  const sent: unknown[] = []
  const standard = {
    version: '1.0.0',
    name,
    icon: 'data:image/svg+xml;base64,AA==',
    chains,
    accounts: [],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts }) },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        async signAndSendTransaction(...inputs: unknown[]) {
          if (fails !== null) throw fails
          sent.push(...inputs)
          return inputs.map(() => ({ signature: new Uint8Array(64) }))
        },
      },
    },
  }
  return { standard, sent }
}

function search(page: EventTarget) {
  const lists: (readonly SolanaWallet[])[] = []
  const end = findSolanaWallets(page, chain, (wallets) => lists.push(wallets))
  return { lists, end, names: () => lists.at(-1)?.map(({ name }) => name) ?? [] }
}

type Registering = (application: { register: (...wallets: unknown[]) => void }) => void
const announce = (page: EventTarget, ...wallets: unknown[]) =>
  page.dispatchEvent(
    Object.assign(new Event('wallet-standard:register-wallet'), {
      detail: ((application) => application.register(...wallets)) satisfies Registering,
    }),
  )

describe('finding wallets', () => {
  it('lists each wallet once, whether it was there before the page or comes later', () => {
    const page = new EventTarget()
    page.addEventListener('wallet-standard:app-ready', (event) =>
      (event as unknown as { detail: { register: (wallet: unknown) => void } }).detail.register(
        wallet().standard,
      ),
    )
    const { names, end } = search(page)
    expect(names()).toEqual(['Ghost'])
    announce(page, wallet().standard, wallet({ name: 'Sun' }).standard)
    expect(names()).toEqual(['Ghost', 'Sun'])
    end()
    announce(page, wallet({ name: 'Late' }).standard)
    expect(names()).toEqual(['Ghost', 'Sun'])
  })

  it('leaves out what cannot send on this chain, and what is no wallet', () => {
    const page = new EventTarget()
    const { lists } = search(page)
    const blind = { ...wallet().standard, features: { 'standard:connect': { connect: async () => ({}) } } }
    announce(
      page,
      null,
      {},
      'text',
      { name: 'Nothing' },
      blind,
      wallet({ chains: ['solana:devnet'] }).standard,
    )
    page.dispatchEvent(Object.assign(new Event('wallet-standard:register-wallet'), { detail: 'text' }))
    expect(lists).toEqual([])
  })

  it('shows a bounded number, however many extensions register', () => {
    const page = new EventTarget()
    const { names } = search(page)
    for (let index = 0; index < 100; index++) announce(page, wallet({ name: String(index) }).standard)
    expect(names()).toHaveLength(8)
  })
})

describe('sending from a wallet', () => {
  const found = (standard: unknown): SolanaWallet => {
    const page = new EventTarget()
    const { lists } = search(page)
    announce(page, standard)
    return lists[0]?.[0] as SolanaWallet
  }
  const make = async () => bytes

  it('hands over exactly the service’s bytes for the connected account, on that chain', async () => {
    const { standard, sent } = wallet({
      accounts: [{ address: 'Elsewhere', chains: ['solana:devnet'] }, account],
    })
    const asked: string[][] = []
    const outcome = await sendFromSolanaWallet(
      found(standard),
      () => payment,
      async (...made) => {
        asked.push(made)
        return bytes
      },
    )
    expect(outcome).toBe('sent')
    expect(asked).toEqual([['AZqG', 'Payer']])
    expect(sent).toEqual([{ account, chain, transaction: bytes }])
  })

  it('sends nothing without an account on that chain', async () => {
    const { standard, sent } = wallet({ accounts: [{ address: 'Elsewhere', chains: ['solana:devnet'] }] })
    expect(await sendFromSolanaWallet(found(standard), () => payment, make)).toBe('wrong_network')
    expect(sent).toEqual([])
  })

  it('sends nothing if the payment has changed or is gone by the time the transaction is there', async () => {
    for (const later of [null, { ...payment, amount: '9.9' }]) {
      const { standard, sent } = wallet()
      let reads = 0
      const wanted = () => (reads++ === 0 ? payment : later)
      expect(await sendFromSolanaWallet(found(standard), wanted, make)).toBe('changed')
      expect(sent).toEqual([])
    }
  })

  it('says that nothing was sent exactly when the wallet was not asked or the payer declined', async () => {
    const refusing = (error: Error) => () => Promise.reject(error)
    const { standard, sent } = wallet()
    const short = refusing(new RefusedError(422, 'insufficient_balance', 0))
    expect(await sendFromSolanaWallet(found(standard), () => payment, short)).toBe('short')
    for (const error of [new RefusedError(503, 'gate_offline', 0), new UnreachableError('gone')])
      expect(await sendFromSolanaWallet(found(standard), () => payment, refusing(error))).toBe('not_made')
    expect(sent).toEqual([])
    const declined = wallet({ fails: { code: 4001 } }).standard
    expect(await sendFromSolanaWallet(found(declined), () => payment, make)).toBe('rejected')
    for (const fails of [new Error('no'), 'text', { code: -32000 }])
      expect(await sendFromSolanaWallet(found(wallet({ fails }).standard), () => payment, make)).toBe(
        'failed',
      )
  })
})
