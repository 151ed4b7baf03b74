import type { Family } from '../family.ts'

/** Stands in for the family of a gate that only reads: it has no addresses, and signs nothing. */
export const withoutWallet: Family = {
  depositAddress: () => null,
  parseDestination: () => null,
  paymentUri: () => '',
  spending: { kind: 'account', hotAddress: null, depositsAreHot: false, gasOf: () => 0n },
  sign: () => {
    throw new Error('A gate without a wallet signs nothing.')
  },
  read: () => ({ refused: 'A gate without a wallet reads nothing.' }),
}
