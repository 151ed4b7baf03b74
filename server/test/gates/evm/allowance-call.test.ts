import { encodeFunctionData, erc20Abi } from 'viem'
import { expect, it } from 'vitest'
import { currencies } from '../../../src/domain/assets.ts'
import { networkOf } from '../../../src/domain/networks.ts'
import { allowanceCall, approveCall, readApproveCall } from '../../../src/gates/evm/allowance-call.ts'
import { readTransfer, signTransfer } from '../../../src/gates/evm/transaction.ts'
import { nativeOf } from '../../../src/gates/gate.ts'
import { evmReader } from '../../../src/gates/simulated/read-evm.ts'
import { testAssets } from '../../../src/gates/simulated/test-assets.ts'

const owner = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const spender = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const amounts = [0n, 1n, 10n ** 24n, 2n ** 256n - 1n]

it('the calls are what ERC-20 has', () => {
  for (const units of amounts)
    expect(approveCall({ spender, units })).toBe(
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, units] }),
    )
  expect(allowanceCall(owner, spender)).toBe(
    encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] }),
  )
  for (const units of [-1n, 2n ** 256n]) expect(() => approveCall({ spender, units })).toThrow(RangeError)
})

it('a call is read back as what it says; one that is cut, lengthened or says another thing is none', () => {
  for (const units of amounts)
    expect(readApproveCall(approveCall({ spender, units }))).toEqual({ spender, units })
  const call = approveCall({ spender, units: 5n })
  const padded = call.indexOf('0000')
  for (const other of [
    ...[call.slice(0, -2), `${call}00`, call.replace('095ea7b3', 'a9059cbb'), '0x'],
    `${call.slice(0, padded)}1${call.slice(padded + 1)}`,
  ])
    expect(readApproveCall(other)).toBeNull()
})

const key = new Uint8Array(32).fill(7)
const assets = testAssets(currencies, networkOf('ethereum'))
const contractAddress = assets.find(({ currency }) => currency === 'USDT')?.contractAddress ?? null
const frame = {
  ...{ chainId: 11_155_111, nonce: 3n, to: spender, contractAddress, units: 0n },
  ...{ gasLimit: 60_000n, gasPrice: 10n, gasTip: 10n },
}

it('signed bytes say how much is allowed to whom, and move nothing; on the simulator too', () => {
  for (const allowsUnits of amounts) {
    const bytes = signTransfer({ ...frame, allowsUnits }, key)
    expect(readTransfer(bytes)).toMatchObject({ transfer: { ...frame, allowsUnits } })
    expect(evmReader(frame.chainId, assets).read(bytes, () => undefined)).toMatchObject({
      ...{ outputs: [], uses: { kind: 'account', nonce: 3n } },
      debits: [{ currency: nativeOf(assets).currency, units: 600_000n }],
    })
  }
})

it('what moves coins as well, or allows nothing of a token, is not signed', () => {
  for (const wrong of [
    { units: 1n },
    { contractAddress: null },
    { units: 1n, outputs: [{ address: owner, units: 1n }] },
  ])
    expect(() => signTransfer({ ...frame, allowsUnits: 5n, ...wrong }, key)).toThrow('moves nothing')
})
