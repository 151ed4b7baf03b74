import { encodeFunctionData, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { currencies } from '../../../src/domain/assets.ts'
import { networkOf } from '../../../src/domain/networks.ts'
import { multisendCall, readMultisendCall } from '../../../src/gates/evm/multisend-call.ts'
import { readTransfer, signTransfer } from '../../../src/gates/evm/transaction.ts'
import { nativeOf } from '../../../src/gates/gate.ts'
import { evmReader } from '../../../src/gates/simulated/read-evm.ts'
import { testAssets } from '../../../src/gates/simulated/test-assets.ts'

const abi = parseAbi([
  'function disperseEther(address[] recipients, uint256[] values) payable',
  'function disperseTokenSimple(address token, address[] recipients, uint256[] values)',
])
const token = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const contract = '0xD152f549545093347A162Dce210e7293f1452150'
const outputs = [
  { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', units: 1n },
  { address: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', units: 10n ** 24n },
  { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', units: 2n ** 100n },
]
const sum = outputs.reduce((total, { units }) => total + units, 0n)

it('the call is what Solidity’s contract ABI has for Disperse, for nobody, one and many', () => {
  for (const some of [[], outputs.slice(0, 1), outputs]) {
    const addresses = some.map(({ address }) => address as `0x${string}`)
    const amounts = some.map(({ units }) => units)
    expect(multisendCall(some)).toBe(
      encodeFunctionData({ abi, functionName: 'disperseEther', args: [addresses, amounts] }),
    )
    expect(multisendCall(some, token)).toBe(
      encodeFunctionData({ abi, functionName: 'disperseTokenSimple', args: [token, addresses, amounts] }),
    )
  }
})

it('a call is read back as what it says; one that is cut, lengthened or says another thing is none', () => {
  const call = multisendCall(outputs)
  expect(readMultisendCall(call)).toEqual({ token: null, outputs })
  expect(readMultisendCall(multisendCall(outputs, token))).toEqual({ token, outputs })
  for (const other of [
    call.slice(0, -2),
    `${call}00`,
    call.replace('e63d38ed', 'a9059cbb'),
    call.replace('e63d38ed', '51ba162c'),
    multisendCall(outputs, token).replace('51ba162c', 'e63d38ed'),
    multisendCall(outputs, token).replace('dac17f', '0ac17f00'),
    '0x',
    '0xe63d38ed',
  ])
    expect(readMultisendCall(other)).toBeNull()
  // A list that begins elsewhere is read differently by a contract.
  const head = call.indexOf('40', 10)
  expect(readMultisendCall(`${call.slice(0, head)}60${call.slice(head + 2)}`)).toBeNull()
})

const key = new Uint8Array(32).fill(7)
const gas = { gasLimit: 200_000n, gasPrice: 10n, gasTip: 10n }
const frame = { chainId: 11_155_111, nonce: 3n, to: contract, contractAddress: null, ...gas }

it('signed bytes for several say whom they pay, and whoever gives the contract more or less than that signs nothing', () => {
  const bytes = signTransfer({ ...frame, units: sum, outputs }, key)
  expect(readTransfer(bytes)).toMatchObject({ transfer: { to: contract, units: sum, outputs } })
  for (const units of [sum - 1n, sum + 1n])
    expect(() => signTransfer({ ...frame, units, outputs }, key)).toThrow('sum')
})

it('the simulator pays every one of them, and takes their sum and the fee', () => {
  const network = networkOf('ethereum')
  const assets = testAssets(currencies, network)
  const native = nativeOf(assets).currency
  const bytes = signTransfer({ ...frame, units: sum, outputs }, key)
  const read = evmReader(frame.chainId, assets).read(bytes, () => undefined)
  expect(read).toMatchObject({
    outputs: outputs.map((output) => ({ ...output, tag: null, currency: native })),
    debits: [{ currency: native, units: sum + 2_000_000n }],
    uses: { kind: 'account', nonce: 3n },
  })
})

it('tokens for several are taken from their own contract, and the simulator pays them too', () => {
  const network = networkOf('ethereum')
  const assets = testAssets(currencies, network)
  const usdt = assets.find(({ currency }) => currency === 'USDT')
  const contractAddress = usdt?.contractAddress ?? null
  const bytes = signTransfer({ ...frame, contractAddress, units: sum, outputs }, key)
  expect(readTransfer(bytes)).toMatchObject({
    transfer: { to: contract, contractAddress, units: sum, outputs },
  })
  const read = evmReader(frame.chainId, assets).read(bytes, () => undefined)
  expect(read).toMatchObject({
    outputs: outputs.map((output) => ({ ...output, tag: null, currency: 'USDT' })),
    debits: expect.arrayContaining([{ currency: 'USDT', units: sum }]),
  })
})
