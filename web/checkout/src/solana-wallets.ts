import { RefusedError, UnreachableError } from './api.ts'
import {
  isRejection,
  mostWallets,
  shownIcon,
  shownName,
  type WalletChoice,
  type WalletOutcome,
} from './wallets.ts'

/** An account that a wallet shows to this page. */
type Account = { readonly address: string; readonly chains: readonly string[] }

/** A wallet of the Wallet Standard that can send on the wanted chain. */
export type SolanaWallet = WalletChoice & {
  connect(): Promise<readonly Account[]>
  send(input: { account: Account; chain: string; transaction: Uint8Array }): Promise<unknown>
}

/** What a payment asks for now: the chain in the words of the Wallet Standard, the ticket, and the amount. */
export type SolanaPayment = { readonly chain: string; readonly ticket: string; readonly amount: string }

/**
 * Looks for wallets by the Wallet Standard. `found` gets the whole list each time it grows. The returned function ends the
 * search.
 */
export function findSolanaWallets(
  page: EventTarget,
  chain: string,
  found: (wallets: readonly SolanaWallet[]) => void,
): () => void {
  let wallets: readonly SolanaWallet[] = []
  const register = (...offered: readonly unknown[]) => {
    for (const each of offered) {
      const wallet = standardWallet(each, chain)
      if (wallet === null || wallets.length >= mostWallets || wallets.some(({ id }) => id === wallet.id))
        continue
      wallets = [...wallets, wallet]
      found(wallets)
    }
    return () => {}
  }
  const application = Object.freeze({ register })
  // The first to load, page or wallet, announces itself to the other.
  const announced = (event: Event) => {
    const { detail } = event as CustomEvent<unknown>
    if (typeof detail === 'function') detail(application)
  }
  page.addEventListener('wallet-standard:register-wallet', announced)
  page.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: application }))
  return () => page.removeEventListener('wallet-standard:register-wallet', announced)
}

/**
 * Has a wallet sign and send the transaction that the service makes for its account: exactly what is missing now. `wanted` is
 * read again before the wallet gets it, since the payment may have been made elsewhere meanwhile.
 */
export async function sendFromSolanaWallet(
  wallet: SolanaWallet,
  wanted: () => SolanaPayment | null,
  make: (ticket: string, account: string) => Promise<Uint8Array>,
): Promise<WalletOutcome> {
  const asked = wanted()
  if (asked === null) return 'changed'
  const { chain, ticket } = asked
  try {
    const account = (await wallet.connect()).find(({ chains }) => chains.includes(chain))
    if (account === undefined) return 'wrong_network'
    const transaction = await make(ticket, account.address)
    if (JSON.stringify(wanted()) !== JSON.stringify(asked)) return 'changed'
    await wallet.send({ account, chain, transaction })
    return 'sent'
  } catch (error) {
    // The service was asked before the wallet, so nothing was sent.
    if (error instanceof RefusedError) return error.code === 'insufficient_balance' ? 'short' : 'not_made'
    if (error instanceof UnreachableError) return 'not_made'
    return isRejection(error) ? 'rejected' : 'failed'
  }
}

type Features = {
  'standard:connect'?: { connect?: () => Promise<{ accounts: readonly Account[] }> }
  'solana:signAndSendTransaction'?: { signAndSendTransaction?: SolanaWallet['send'] }
}

function standardWallet(offered: unknown, chain: string): SolanaWallet | null {
  const wallet = (offered ?? {}) as { name?: unknown; icon?: unknown; chains?: unknown; features?: Features }
  const { name, features } = wallet
  const connecting = features?.['standard:connect']
  const sending = features?.['solana:signAndSendTransaction']
  if (typeof name !== 'string' || typeof connecting?.connect !== 'function') return null
  if (typeof sending?.signAndSendTransaction !== 'function') return null
  if (!Array.isArray(wallet.chains) || !wallet.chains.includes(chain)) return null
  return {
    id: name,
    name: shownName(name),
    icon: shownIcon(wallet.icon),
    // Called on their features, since a wallet's methods may need them.
    connect: async () => (await connecting.connect?.())?.accounts ?? [],
    send: async (input) => sending.signAndSendTransaction?.(input),
  }
}
