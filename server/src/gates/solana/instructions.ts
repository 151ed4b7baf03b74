import { type Address, address, getAddressCodec } from '@solana/addresses'
import { addCodecSizePrefix } from '@solana/codecs-core'
import { getStructCodec } from '@solana/codecs-data-structures'
import { getU8Codec, getU32Codec, getU64Codec } from '@solana/codecs-numbers'
import { getUtf8Codec } from '@solana/codecs-strings'
import { type AccountMeta, AccountRole, type Instruction } from '@solana/instructions'
import type { SolanaAction } from './actions.ts'
import { associatedTokenProgram, nonceSeed, systemProgram, tokenPrograms } from './derived-address.ts'

export const computeBudgetProgram = address('ComputeBudget111111111111111111111111111111')
export const memoProgram = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const recentBlockhashes = address('SysvarRecentB1ockHashes11111111111111111111')
const rent = address('SysvarRent111111111111111111111111111111111')

/** The size of a nonce account's data, which its rent depends on. */
export const nonceAccountBytes = 80n

/** The number with which the data of each instruction begins, in its program. */
export const tags = {
  transfer: 2,
  initializeNonceAccount: 6,
  allocateWithSeed: 9,
  computeLimit: 2,
  computePrice: 3,
  closeAccount: 9,
  transferChecked: 12,
  createIdempotent: 1,
} as const

/** The data of each instruction that we use: the system program counts in 32 bits, the others in 8. */
export const layouts = {
  transfer: getStructCodec([
    ['tag', getU32Codec()],
    ['units', getU64Codec()],
  ]),
  allocateWithSeed: getStructCodec([
    ['tag', getU32Codec()],
    ['base', getAddressCodec()],
    ['seed', addCodecSizePrefix(getUtf8Codec(), getU64Codec())],
    ['space', getU64Codec()],
    ['program', getAddressCodec()],
  ]),
  initializeNonceAccount: getStructCodec([
    ['tag', getU32Codec()],
    ['authority', getAddressCodec()],
  ]),
  computeLimit: getStructCodec([
    ['tag', getU8Codec()],
    ['limit', getU32Codec()],
  ]),
  computePrice: getStructCodec([
    ['tag', getU8Codec()],
    ['price', getU64Codec()],
  ]),
  closeAccount: getStructCodec([['tag', getU8Codec()]]),
  transferChecked: getStructCodec([
    ['tag', getU8Codec()],
    ['units', getU64Codec()],
    ['decimals', getU8Codec()],
  ]),
  createIdempotent: getStructCodec([['tag', getU8Codec()]]),
  memo: getUtf8Codec(),
}

/** How much a transaction may compute, and at which price. */
export function computeInstructions(limit: bigint, price: bigint): readonly Instruction[] {
  const programAddress = computeBudgetProgram
  return [
    { programAddress, data: layouts.computeLimit.encode({ tag: tags.computeLimit, limit: Number(limit) }) },
    { programAddress, data: layouts.computePrice.encode({ tag: tags.computePrice, price }) },
  ]
}

/** The instructions that do it. The payer funds new accounts, and gets the rent of closed ones. */
export function instructionsOf(action: SolanaAction, payer: string): readonly Instruction[] {
  switch (action.kind) {
    case 'transfer':
      return [
        {
          programAddress: systemProgram,
          accounts: [signing(action.from, 'writable'), writable(action.to)],
          data: layouts.transfer.encode({ tag: tags.transfer, units: action.units }),
        },
      ]
    case 'transfer_token': {
      const { units, decimals } = action
      return [
        {
          programAddress: tokenPrograms[action.program],
          accounts: [
            writable(action.account),
            readable(action.mint),
            writable(action.toAccount),
            signing(action.owner),
          ],
          data: layouts.transferChecked.encode({ tag: tags.transferChecked, units, decimals }),
        },
      ]
    }
    case 'open':
      return [
        {
          programAddress: associatedTokenProgram,
          accounts: [
            signing(payer, 'writable'),
            writable(action.account),
            readable(action.owner),
            readable(action.mint),
            readable(systemProgram),
            readable(tokenPrograms[action.program]),
          ],
          data: layouts.createIdempotent.encode({ tag: tags.createIdempotent }),
        },
      ]
    case 'close':
      return [
        {
          programAddress: tokenPrograms[action.program],
          accounts: [writable(action.account), writable(payer), signing(action.owner)],
          data: layouts.closeAccount.encode({ tag: tags.closeAccount }),
        },
      ]
    case 'memo':
      return [{ programAddress: memoProgram, data: layouts.memo.encode(action.text) }]
    case 'create_nonce':
      return nonceCreation(action, payer)
  }
}

// Not by creating the account in one step: that fails where someone has sent SOL to its address, which everyone can derive.
function nonceCreation(
  { account, index, units }: SolanaAction & { kind: 'create_nonce' },
  payer: string,
): readonly Instruction[] {
  const allocation = {
    tag: tags.allocateWithSeed,
    base: address(payer),
    seed: nonceSeed(index),
    space: nonceAccountBytes,
    program: systemProgram,
  }
  return [
    {
      programAddress: systemProgram,
      accounts: [writable(account), signing(payer)],
      data: layouts.allocateWithSeed.encode(allocation),
    },
    ...instructionsOf({ kind: 'transfer', from: payer, to: account, units }, payer),
    {
      programAddress: systemProgram,
      accounts: [writable(account), readable(recentBlockhashes), readable(rent)],
      data: layouts.initializeNonceAccount.encode({
        tag: tags.initializeNonceAccount,
        authority: address(payer),
      }),
    },
  ]
}

function readable(account: string): AccountMeta {
  return { address: account as Address, role: AccountRole.READONLY }
}

function writable(account: string): AccountMeta {
  return { address: account as Address, role: AccountRole.WRITABLE }
}

function signing(account: string, access: 'writable' | 'readable' = 'readable'): AccountMeta {
  const role = access === 'writable' ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER
  return { address: account as Address, role }
}
