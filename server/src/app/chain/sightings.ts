import type { BlockRef, Transfer } from '../../domain/chain.ts'

/** A transfer and where it was seen: in a block, or (null) in the mempool. */
export type Sighting = Transfer & { readonly block: BlockRef | null; readonly seenAt: Date }

/** The name under which the owner of a deposit address is found. */
export function placeName({
  address,
  tag,
}: {
  readonly address: string
  readonly tag: string | null
}): string {
  return `${address} ${tag ?? ''}`
}
