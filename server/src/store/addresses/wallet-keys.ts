import type { Environment } from '../../domain/environment.ts'
import { type Db, sql } from '../sql.ts'

/**
 * By network, the public key that its addresses are derived from; where only the seed can derive them, the hot wallet's
 * address.
 */
export type PublicKeys = Readonly<Record<string, string | null>>

/** The public side of an environment's wallet; `wallet` is the fingerprint of its seed. */
export type PublishedWallet = {
  readonly wallet: string
  readonly keys: PublicKeys
  /** By network, the proof that a signer published the key. */
  readonly proofs: PublicKeys
}

export function walletKeysOn(db: Db) {
  async function read(environment: Environment): Promise<PublishedWallet | null> {
    const rows = await sql<{
      network: string
      publicKey: string | null
      wallet: string
      proof: string | null
    }>`
      select network, public_key as "publicKey", wallet, proof from wallet_keys
      where environment = ${environment} order by network`.rows(db)
    const [first] = rows
    if (first === undefined) return null
    return {
      wallet: first.wallet,
      keys: Object.fromEntries(rows.map(({ network, publicKey }) => [network, publicKey])),
      proofs: Object.fromEntries(rows.map(({ network, proof }) => [network, proof])),
    }
  }

  return {
    read,

    /**
     * Makes this the environment's wallet if it has none, or adds missing keys and proofs if it already is; existing keys stay
     * as they are. Returns the fingerprint of the wallet that the environment has now. Call it in a transaction: no other process
     * can publish until that ends, so an environment never has keys of two wallets.
     */
    async publish(
      environment: Environment,
      wallet: string,
      keys: PublicKeys,
      proofs: PublicKeys,
    ): Promise<string> {
      await sql`lock table wallet_keys in share row exclusive mode`.run(db)
      const stored = await read(environment)
      if (stored !== null && stored.wallet !== wallet) return stored.wallet
      await sql`
        insert into wallet_keys (environment, network, public_key, wallet, proof)
        select ${environment}, network, public_key, ${wallet}, proof
        from unnest(
          ${Object.keys(keys)}::text[], ${Object.values(keys)}::text[],
          ${Object.keys(keys).map((network) => proofs[network] ?? null)}::text[]
        ) as key (network, public_key, proof)
        on conflict (environment, network) do update set public_key = excluded.public_key, proof = excluded.proof
          where wallet_keys.public_key is null and excluded.public_key is not null
            or wallet_keys.public_key is not distinct from excluded.public_key
              and wallet_keys.proof is distinct from excluded.proof`.run(db)
      return wallet
    },
  }
}
