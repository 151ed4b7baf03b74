import { expect, it } from 'vitest'
import { trying } from './trying.ts'

/** What is refused before any server is asked. */

const url = 'https://user:secret@server.example/KEY'

it.each([
  ['solana', 'moonnet', '--chain must be one of mainnet-beta, devnet, testnet, localnet'],
  ['xrp', 'main', '--chain must be the number of a network of the XRP Ledger'],
  ['ethereum', 'main', '--chain must be the id of a chain'],
  ['nonsense', null, 'There is no network nonsense. Name one of'],
])('%s on %s: %s', async (network, chain, words) => {
  const refused = await trying(network, chain, [url]).catch((error: Error) => error.message)
  expect(refused).toContain(words)
  expect(refused).not.toMatch(/secret|KEY/)
})
