import {
  address,
  createKeyPairSignerFromPrivateKeyBytes,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import { expect } from 'vitest'
import { type Gate, hotAddressOf } from '../../../src/gates/gate.ts'
import { associatedTokenAccount, tokenPrograms } from '../../../src/gates/solana/derived-address.ts'
import {
  createMint,
  type Executor,
  lamportsAt,
  type Outcome,
  sendFrom,
  tokensIn,
} from '../../gates/solana/executor.ts'
import { validatorExecutor } from '../../gates/solana/validator.ts'
import { query } from '../database/database.ts'
import { eventually } from '../servers/hook-receiver.ts'
import { tinyPage } from '../shop/checkout-client.ts'
import { gateOf } from '../shop/money-out.ts'
import { startTestService, type TestService } from '../shop/service.ts'
import { openShop, quiet, type Shop } from '../shop/shop.ts'
import { publicOrigin } from '../shop/wallet-client.ts'
import { type SolanaNode, startSolanaNode } from './solana-node.ts'
import { type Waits, waitsOf } from './waits.ts'

const gateId = 'solana-test'
const decimals = 6
const programAddress = tokenPrograms.token
const payersSol = 1_000_000_000_000n
const payersTokens = 1_000_000_000_000n

/** The service with Solana on a real node, a payer with SOL and USDC, and a merchant. The node makes blocks by itself. */
export type SolanaShop = Waits & {
  readonly node: SolanaNode
  readonly executor: Executor
  readonly service: TestService
  readonly shop: Shop
  readonly gate: Gate
  readonly payer: KeyPairSigner
  /** The mint of USDC. */
  readonly mint: string
  /** Sends instructions of the payer in one transaction; returns its hash and what became of it. */
  send(...instructions: readonly Instruction[]): Promise<{ readonly hash: string; readonly outcome: Outcome }>
  /** Pays SOL or USDC to an owner, with a token account of the owner's that the payer opens. Returns the hash. */
  pay(currency: 'SOL' | 'USDC', to: string, units: bigint): Promise<string>
  /** Sends the operator's own SOL to the hot wallet, and returns its address. */
  fillFloat(units: bigint): Promise<string>
  /** The node's balance of an owner. */
  heldAt(owner: string, currency: 'SOL' | 'USDC'): Promise<bigint>
  /** The node's total for all our addresses. */
  heldOnChain(currency: 'SOL' | 'USDC'): Promise<bigint>
  /** The ledger's total. */
  heldInBooks(currency: 'SOL' | 'USDC'): Promise<bigint>
  close(): Promise<void>
}

export async function openSolanaShop(gate: object = {}): Promise<SolanaShop> {
  const node = await startSolanaNode()
  try {
    return await openOn(node, gate)
  } catch (error) {
    await node.close()
    throw error
  }
}

async function openOn(node: SolanaNode, given: object): Promise<SolanaShop> {
  const executor = validatorExecutor(node)
  const payer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(77))
  await executor.fund(payer.address, payersSol)
  const { token, give } = await createMint(executor, 'token', decimals)
  await give(payer.address, payersTokens)
  const mint = token.mint
  const entry = {
    network: 'solana',
    environment: 'test',
    kind: 'solana',
    cluster: 'localnet',
    rpc_url: node.url,
    poll_seconds: 1,
    tokens: [{ code: 'USDC', contract: mint, decimals }],
    ...given,
  }
  const service = await startTestService({
    ...quiet,
    // Wallets are offered transactions over https only.
    env: { ...quiet.env, SLUICE_TRUSTED_PROXIES: '127.0.0.1', SLUICE_PUBLIC_URL: publicOrigin },
    config: { ...quiet.config, gates: [entry] },
    page: tinyPage,
  })
  await eventually(() => expect(service.app.gates.isOnline(gateId)).toBe(true))
  const shop = await openShop(service)
  const gate = gateOf(service, 'solana')
  const tokenAccount = (owner: string) => address(associatedTokenAccount(owner, 'token', mint))

  const send: SolanaShop['send'] = (...instructions) => sendFrom(executor, payer, instructions)

  function instructionsOf(currency: 'SOL' | 'USDC', to: string, units: bigint): Instruction[] {
    if (currency === 'SOL')
      return [getTransferSolInstruction({ source: payer, destination: address(to), amount: units })]
    const token = { mint: address(mint), tokenProgram: address(programAddress) }
    return [
      getCreateAssociatedTokenIdempotentInstruction({
        ...token,
        payer,
        owner: address(to),
        ata: tokenAccount(to),
      }),
      getTransferCheckedInstruction({
        mint: token.mint,
        source: tokenAccount(payer.address),
        destination: tokenAccount(to),
        authority: payer,
        amount: units,
        decimals,
      }),
    ]
  }

  const heldAt: SolanaShop['heldAt'] = async (owner, currency) =>
    currency === 'SOL' ? lamportsAt(executor, owner) : ((await tokensIn(executor, tokenAccount(owner))) ?? 0n)

  const hot = hotAddressOf(gate) ?? ''

  return {
    ...waitsOf(service, shop),
    node,
    executor,
    service,
    shop,
    gate,
    payer,
    mint,
    send,
    async pay(currency, to, units) {
      const { hash, outcome } = await send(...instructionsOf(currency, to, units))
      expect(outcome).toEqual({ kind: 'done' })
      return hash
    },
    async fillFloat(units) {
      await executor.fund(hot, units)
      return hot
    },
    heldAt,
    async heldOnChain(currency) {
      const rows = await query(
        service.database.url,
        'select address from deposit_addresses where keychain = $1',
        [gate.keychain],
      )
      const own = [...rows.map((row) => row.address as string), hot]
      const held = await Promise.all(own.map((owner) => heldAt(owner, currency)))
      return held.reduce((sum, units) => sum + units, 0n)
    },
    async heldInBooks(currency) {
      const [row] = await query(
        service.database.url,
        `select coalesce(sum(-balance_units), 0)::text as units from ledger_accounts
         where kind = 'chain' and network = 'solana' and currency = $1`,
        [currency],
      )
      return BigInt(row?.units)
    },
    async close() {
      await service.stop()
      await node.close()
    },
  }
}
