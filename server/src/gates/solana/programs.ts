// The addresses of native programs, sysvars, loaders, the incinerator and the mint of wrapped SOL are names padded with
// ones: Stake11111111111111111111111111111111111111. No real key has that many in a row, so future ones are covered too.
const paddedName = /1{10}/

// Common programs with vanity addresses: https://spl.solana.com, Metaplex.
const knownPrograms: ReadonlySet<string> = new Set([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', // token
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', // token-2022
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', // associated token account
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', // memo
  'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH', // memo, version 4
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', // memo, version 1
  'namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX', // name service
  'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy', // stake pool
  'SwaPpA9LAaLfeLi3a68M4DjnLqgtticKg6CnyNwgAC8', // token swap
  'Feat1YXHhH6t1juaWF74WLcfv4XoNocjXA6sPWHNgAse', // feature proposal
  'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s', // token metadata
])

/** Whether the address belongs to a program or a sysvar: no one can sign for it, and funds sent there are lost. */
export function isProgram(address: string): boolean {
  return paddedName.test(address) || knownPrograms.has(address)
}
