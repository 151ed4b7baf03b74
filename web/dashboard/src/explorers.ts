const transactions: Readonly<Record<string, string>> = {
  bitcoin: 'https://mempool.space/tx/',
  litecoin: 'https://litecoinspace.org/tx/',
  ethereum: 'https://etherscan.io/tx/',
  polygon: 'https://polygonscan.com/tx/',
  bsc: 'https://bscscan.com/tx/',
  base: 'https://basescan.org/tx/',
  arbitrum: 'https://arbiscan.io/tx/',
  optimism: 'https://optimistic.etherscan.io/tx/',
  avalanche: 'https://snowtrace.io/tx/',
  solana: 'https://solscan.io/tx/',
  xrp: 'https://xrpscan.com/tx/',
}

/** Where the public can look a transaction up, or null: the networks of the test environment exist nowhere else. */
export function explorerLink(environment: string | null, network: string, hash: string): string | null {
  const base = environment === 'live' ? transactions[network] : undefined
  return base === undefined ? null : `${base}${encodeURIComponent(hash)}`
}
