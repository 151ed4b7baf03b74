import { createAddressProofs } from '../../../src/app/addresses/address-proofs.ts'

/** The address proofs of a service without a secret key: it proves nothing and accepts every address. */
export const noProofs = createAddressProofs({
  prover: null,
  derive: () => null,
  now: () => new Date(),
  onRefused: () => {},
})
