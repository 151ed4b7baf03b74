// The cluster's own programs, sysvars, loaders and the incinerator are names padded with ones, as is the mint of wrapped
// SOL: Stake11111111111111111111111111111111111111. No key is found with so many in a row, so those to come are covered.
const paddedName = /1{10}/

// Programs that everybody uses and whose names are keys that were searched for: https://spl.solana.com, Metaplex.
const knownPrograms: ReadonlySet<string> = new Set([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', // token
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', // token-2022
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', // associated token account
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', // memo
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', // memo, version 1
  'namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX', // name service
  'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy', // stake pool
  'SwaPpA9LAaLfeLi3a68M4DjnLqgtticKg6CnyNwgAC8', // token swap
  'Feat1YXHhH6t1juaWF74WLcfv4XoNocjXA6sPWHNgAse', // feature proposal
  'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s', // token metadata
])

/** Whether the address is a program's, or a sysvar's: nobody can sign for it, and coins sent there are lost. */
export function isProgram(address: string): boolean {
  return paddedName.test(address) || knownPrograms.has(address)
}
