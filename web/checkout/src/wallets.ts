import type { WalletToken, WalletTransaction } from '@sluice/web/contract'

/** A wallet's interface in the page (EIP-1193). */
export type WalletProvider = {
  request(call: { method: string; params?: readonly unknown[] | object }): Promise<unknown>
}

/** A wallet as the payer chooses it. */
export type WalletChoice = {
  readonly id: string
  /** Null for a wallet that only injected itself into the window, without a name. */
  readonly name: string | null
  readonly icon: string | null
}

/** A wallet of EVM networks that has announced itself. */
export type Wallet = WalletChoice & { readonly provider: WalletProvider }

/**
 * The outcome of a wallet request. Only `sent` means that the wallet gave a transaction to its network; after `failed` it may
 * have. After any other, nothing was sent.
 */
export type WalletOutcome =
  | 'sent'
  | 'rejected'
  | 'no_network'
  | 'wrong_network'
  | 'changed'
  | 'short'
  | 'not_made'
  | 'failed'

export const mostWallets = 8
const userRejected = 4001
const unknownChain = 4902

/**
 * Looks for wallets by EIP-6963, and for `window.ethereum` if none announces itself. `found` gets the whole list each
 * time it grows. The returned function ends the search.
 */
export function findWallets(page: EventTarget, found: (wallets: readonly Wallet[]) => void): () => void {
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
    return isRejection(error) ? 'rejected' : 'failed'
  }
}

/** Has a wallet show a token that it may not know, on its chain (EIP-747); false if it does not. It asks for no account. */
export async function showToken(
  provider: WalletProvider,
  { chain_id, token }: { readonly chain_id: number; readonly token: WalletToken },
): Promise<boolean> {
  try {
    if ((await switchChain(provider, chain_id)) !== null) return false
    const { address, symbol, decimals } = token
    // EIP-747 takes an object where all other methods take a list.
    const params = { type: 'ERC20', options: { address, symbol, decimals } }
    return (await provider.request({ method: 'wallet_watchAsset', params })) === true
  } catch {
    return false
  }
}

async function switchChain(provider: WalletProvider, chain: number): Promise<WalletOutcome | null> {
  const chainId = `0x${chain.toString(16)}`
  const isThere = async () => Number(await provider.request({ method: 'eth_chainId' })) === chain
  if (await isThere()) return null
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  } catch (error) {
    if (isRejection(error)) return 'rejected'
    return errorCode(error) === unknownChain ? 'no_network' : 'wrong_network'
  }
  // Some wallets answer before they have switched, or without switching: the funds would be sent on another chain.
  return (await isThere()) ? null : 'wrong_network'
}

function announcedWallet(detail: unknown): Wallet | null {
  const { info, provider } = (detail ?? {}) as { info?: Record<string, unknown>; provider?: unknown }
  if (typeof info?.uuid !== 'string' || typeof info.name !== 'string' || !isProvider(provider)) return null
  return { id: info.uuid, name: shownName(info.name), icon: shownIcon(info.icon), provider }
}

/** A wallet's own name, as far as there is room for it. */
export function shownName(name: string): string {
  return name.slice(0, 40)
}

/** A wallet's icon, which EIP-6963 and the Wallet Standard want as a data URI. Shown as an image it cannot run anything. */
export function shownIcon(icon: unknown): string | null {
  return typeof icon === 'string' && icon.startsWith('data:image/') ? icon : null
}

function isProvider(value: unknown): value is WalletProvider {
  return typeof (value as WalletProvider | null | undefined)?.request === 'function'
}

/** Whether the payer declined in the wallet. */
export function isRejection(error: unknown): boolean {
  return errorCode(error) === userRejected
}

/** Some wallets nest the EIP-1193 code one level deeper. */
function errorCode(error: unknown): unknown {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { originalError?: { code?: unknown } } }
  return data?.originalError?.code ?? code
}
