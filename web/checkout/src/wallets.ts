import type { WalletTransaction } from '@sluice/web/contract'

/** A wallet's interface in the page (EIP-1193). */
export type WalletProvider = {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

/** A wallet that has announced itself. */
export type Wallet = {
  readonly id: string
  /** Null for a wallet that only injected itself into the window, without a name. */
  readonly name: string | null
  readonly icon: string | null
  readonly provider: WalletProvider
}

/** The outcome of a wallet request. Only `sent` means that the wallet gave a transaction to its network. */
export type WalletOutcome = 'sent' | 'rejected' | 'no_network' | 'wrong_network' | 'changed' | 'failed'

const mostWallets = 8
const userRejected = 4001
const unknownChain = 4902

/**
 * Looks for wallets by EIP-6963, and for `window.ethereum` if none announces itself. `found` gets the whole list each
 * time it grows. The returned function ends the search.
 */
export function findWallets(page: Window, found: (wallets: readonly Wallet[]) => void): () => void {
  let wallets: readonly Wallet[] = []
  const announced = (event: Event) => {
    const wallet = announcedWallet((event as CustomEvent<unknown>).detail)
    if (wallet === null || wallets.length >= mostWallets || wallets.some(({ id }) => id === wallet.id)) return
    wallets = [...wallets, wallet]
    found(wallets)
  }
  page.addEventListener('eip6963:announceProvider', announced)
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  const { ethereum } = page as { ethereum?: unknown }
  if (wallets.length === 0 && isProvider(ethereum))
    found([{ id: 'window.ethereum', name: null, icon: null, provider: ethereum }])
  return () => page.removeEventListener('eip6963:announceProvider', announced)
}

/**
 * Asks a wallet to send exactly the amount due, on exactly that chain. `wanted` is read again after the payer has given
 * access and switched networks: by then the payment may have been made elsewhere.
 */
export async function sendFromWallet(
  provider: WalletProvider,
  wanted: () => WalletTransaction | null,
): Promise<WalletOutcome> {
  const asked = wanted()
  if (asked === null) return 'changed'
  try {
    const [from] = (await provider.request({ method: 'eth_requestAccounts' })) as readonly unknown[]
    if (typeof from !== 'string') return 'failed'
    const refused = await switchChain(provider, asked.chain_id)
    if (refused !== null) return refused
    const now = wanted()
    if (now === null || JSON.stringify(now) !== JSON.stringify(asked)) return 'changed'
    const { to, value, data } = now
    const transaction = { from, to, value, ...(data === null ? {} : { data }) }
    await provider.request({ method: 'eth_sendTransaction', params: [transaction] })
    return 'sent'
  } catch (error) {
    // Other errors are specific to the wallet; the payer sees the same message for all of them.
    return errorCode(error) === userRejected ? 'rejected' : 'failed'
  }
}

async function switchChain(provider: WalletProvider, chain: number): Promise<WalletOutcome | null> {
  const chainId = `0x${chain.toString(16)}`
  const isThere = async () => Number(await provider.request({ method: 'eth_chainId' })) === chain
  if (await isThere()) return null
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  } catch (error) {
    if (errorCode(error) === userRejected) return 'rejected'
    return errorCode(error) === unknownChain ? 'no_network' : 'wrong_network'
  }
  // Some wallets answer before they have switched, or without switching: the funds would be sent on another chain.
  return (await isThere()) ? null : 'wrong_network'
}

function announcedWallet(detail: unknown): Wallet | null {
  const { info, provider } = (detail ?? {}) as { info?: Record<string, unknown>; provider?: unknown }
  if (typeof info?.uuid !== 'string' || typeof info.name !== 'string' || !isProvider(provider)) return null
  // EIP-6963: an icon is a data URI. Shown as an image it cannot run anything.
  const icon = typeof info.icon === 'string' && info.icon.startsWith('data:image/') ? info.icon : null
  return { id: info.uuid, name: info.name.slice(0, 40), icon, provider }
}

function isProvider(value: unknown): value is WalletProvider {
  return typeof (value as WalletProvider | null | undefined)?.request === 'function'
}

/** Some wallets nest the EIP-1193 code one level deeper. */
function errorCode(error: unknown): unknown {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { originalError?: { code?: unknown } } }
  return data?.originalError?.code ?? code
}
