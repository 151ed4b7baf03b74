import {
  address,
  createKeyPairSignerFromPrivateKeyBytes,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getFreezeAccountInstruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Block, Transfer } from '../../../src/domain/chain.ts'
import { noAddresses } from '../../../src/gates/gate.ts'
import { tokenPrograms } from '../../../src/gates/solana/derived-address.ts'
import type { SolanaReading } from '../../../src/gates/solana/node-reading.ts'
import { describeOnSolana, type SolanaNode, startSolanaNode } from '../../support/nodes/solana-node.ts'
import { watching } from '../watch.ts'
import { createMint, type Executor, sendFrom, tokensIn } from './executor.ts'
import { deposits, receiver } from './plans.ts'
import { openReading, solanaAssets } from './reading.ts'
import { validatorExecutor } from './validator.ts'

const programAddress = tokenPrograms['token-2022']
const decimals = 6
// A mint with a transfer fee: the fields of every mint, padded, and those of the fee (spl-token-2022's `TransferFeeConfig`).
const feeMintBytes = 278n
const rentUnits = 10_000_000n
const [ours, second] = deposits.map((each) => each.address) as [string, string]

describeOnSolana(() => {
  let node: SolanaNode
  let executor: Executor
  let payer: KeyPairSigner
  let mint: KeyPairSigner
  let give: Awaited<ReturnType<typeof createMint>>['give']
  let other: Awaited<ReturnType<typeof createMint>>
  let reading: SolanaReading
  let close: () => void
  beforeAll(async () => {
    node = await startSolanaNode()
    executor = validatorExecutor(node)
    ;[payer, mint] = await Promise.all(
      [201, 202].map(signerOf) as [Promise<KeyPairSigner>, Promise<KeyPairSigner>],
    )
    await executor.fund(payer.address, 50_000_000_000n)
    const listed = await createMint(executor, 'token', decimals)
    other = await createMint(executor, 'token', decimals)
    give = listed.give
    await createFeeMint()
    const assets = solanaAssets(listed.token.mint).map((asset) =>
      asset.currency === 'USDT' ? { ...asset, contractAddress: mint.address as string } : asset,
    )
    ;({ reading, close } = openReading([node.url], { assets, agreement: 1 }))
  })
  afterAll(async () => {
    close?.()
    await node?.close()
  })

  async function send(...instructions: readonly Instruction[]): Promise<{ hash: string; kind: string }> {
    const { hash, outcome } = await sendFrom(executor, payer, instructions)
    return { hash, kind: outcome.kind }
  }

  /** One per cent of every transfer is withheld at the receiver. */
  async function createFeeMint(): Promise<void> {
    const initializeFee = new Uint8Array(2 + 1 + 1 + 2 + 8)
    initializeFee.set([26, 0, 0, 0])
    new DataView(initializeFee.buffer).setUint16(4, 100, true)
    new DataView(initializeFee.buffer).setBigUint64(6, 2n ** 63n, true)
    const made = await send(
      getCreateAccountInstruction({
        payer,
        newAccount: mint,
        lamports: rentUnits,
        space: feeMintBytes,
        programAddress,
      }),
      {
        programAddress: address(programAddress),
        accounts: [{ address: mint.address, role: 1 }],
        data: initializeFee,
      },
      getInitializeMint2Instruction(
        { mint: mint.address, decimals, mintAuthority: payer.address, freezeAuthority: payer.address },
        { programAddress: address(programAddress) },
      ),
    )
    expect(made.kind).toBe('done')
  }

  const accountOf = async (owner: string) => {
    const [ata] = await findAssociatedTokenPda({
      owner: address(owner),
      mint: mint.address,
      tokenProgram: address(programAddress),
    })
    return ata
  }
  const openAccount = async (owner: string) =>
    getCreateAssociatedTokenIdempotentInstruction({
      payer,
      owner: address(owner),
      mint: mint.address,
      tokenProgram: address(programAddress),
      ata: await accountOf(owner),
    })
  const payTokens = async (owner: string, amount: bigint) =>
    getTransferCheckedInstruction(
      {
        source: await accountOf(payer.address),
        mint: mint.address,
        destination: await accountOf(owner),
        authority: payer,
        amount,
        decimals,
      },
      { programAddress: address(programAddress) },
    )
  const paySol = (to: string, amount: bigint) =>
    getTransferSolInstruction({ source: payer, destination: address(to), amount })

  /** The transfers to us in all blocks up to the newest one; every block is on top of the one before. */
  async function read(from: bigint): Promise<{ transfers: Transfer[]; to: bigint }> {
    const newest = BigInt(await node.ask('getSlot'))
    await expect.poll(async () => (await reading.tip()).height).toBeGreaterThanOrEqual(newest)
    const watched = watching([ours, second].map((each) => ({ address: each, tag: null })))
    const { height: to } = await reading.tip()
    const transfers: Transfer[] = []
    let parent = (await reading.block(from, noAddresses))?.hash
    for (let height = from + 1n; height <= to; height++) {
      const block = (await reading.block(height, watched)) as Block
      expect(block).toMatchObject({ height, parentHash: parent })
      transfers.push(...block.transfers)
      parent = block.hash
    }
    return { transfers, to }
  }
  const what = ({ txHash, currency, address: to, units }: Transfer) => ({ txHash, currency, to, units })

  it('shows the blocks from the first to the newest, and in them what arrived', async () => {
    await executor.fund(ours, 1_500_000_000n)
    const both = await send(paySol(ours, 3_000_000n), paySol(second, 4_000_000n), paySol(ours, 5_000_000n))
    await send(paySol(receiver(203), 6_000_000n))
    await give(ours, 7_000_000n)
    await other.give(ours, 8_000_000n)
    const { transfers } = await read(0n)
    expect(transfers.map(({ txHash: _, outputIndex: __, ...each }) => each)).toEqual([
      { currency: 'SOL', address: ours, tag: null, units: 1_500_000_000n },
      { currency: 'SOL', address: ours, tag: null, units: 8_000_000n },
      { currency: 'SOL', address: second, tag: null, units: 4_000_000n },
      { currency: 'USDC', address: ours, tag: null, units: 7_000_000n },
    ])
    expect(transfers.filter(({ txHash }) => txHash === both.hash)).toHaveLength(2)
    expect(await reading.nativeBalance(ours)).toBe(1_508_000_000n)
    expect(reading.chain()).toBe(`solana ${await node.ask('getGenesisHash')}`)
  })

  it('shows of a Token-2022 transfer what is left after its fee, and nothing of transfers that failed', async () => {
    const { to: from } = await read((await reading.tip()).height)
    const funded = await send(
      await openAccount(payer.address),
      await openAccount(ours),
      getMintToInstruction(
        {
          mint: mint.address,
          token: await accountOf(payer.address),
          mintAuthority: payer,
          amount: 90_000_000n,
        },
        { programAddress: address(programAddress) },
      ),
    )
    expect(funded.kind).toBe('done')
    const paid = await send(await payTokens(ours, 10_000_000n))
    expect(paid.kind).toBe('done')
    expect((await send(await payTokens(ours, 900_000_000n))).kind).toBe('failed')
    expect((await send(paySol(ours, 900_000_000_000n))).kind).toBe('failed')
    // Frozen, the account takes no more.
    const frozen = await send(
      getFreezeAccountInstruction(
        { account: await accountOf(ours), mint: mint.address, owner: payer },
        { programAddress: address(programAddress) },
      ),
    )
    expect(frozen.kind).toBe('done')
    expect((await send(await payTokens(ours, 20_000_000n))).kind).toBe('failed')
    const { transfers } = await read(from)
    expect(transfers.map(what)).toEqual([
      { txHash: paid.hash, currency: 'USDT', to: ours, units: 9_900_000n },
    ])
    expect(await tokensIn(executor, await accountOf(ours))).toBe(9_900_000n)
  })
})

function signerOf(number: number): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(number))
}
