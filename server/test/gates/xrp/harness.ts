import { encode, encodeForSigning } from 'ripple-binary-codec'
import { deriveAddress, deriveKeypair, generateSeed, sign } from 'ripple-keypairs'
import { formatDecimal } from '../../../src/domain/money.ts'
import { assetsOf, familyOf, type GateChain } from '../../../src/gates/families.ts'
import type { NodeGate } from '../../../src/gates/gate.ts'
import type { NodeRpcOptions } from '../../../src/gates/json-rpc.ts'
import { type XrpNodeGateOptions, xrpNodeGate } from '../../../src/gates/xrp/node-gate.ts'
import { xrpRpc } from '../../../src/gates/xrp/node-rpc.ts'
import { publicKeys } from '../../simulator/gate/keys.ts'
import { makePurse } from '../../simulator/gate/purse.ts'
import { type FaultProxy, plugOf, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import {
  hashOfBlob,
  type Json,
  openLedgerFee,
  type XrpLedger,
  xrpLedger,
} from '../../support/nodes/xrp-ledger.ts'
import { issuerBits } from '../../support/nodes/xrp-lines.ts'
import { startXrpServer, type XrpServer } from '../../support/nodes/xrp-server.ts'
import { currencies, networkOf } from '../../support/shop/registry.ts'
import type { GateHarness } from '../harness.ts'
import { watching } from '../watch.ts'

export const stranger = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf'
const xrp = 1_000_000n
const rippleUsdDecimals = 6

/** A key that is not ours, always the same for a number. */
export function payer(number: number) {
  const { privateKey, publicKey } = deriveKeypair(
    generateSeed({ entropy: new Uint8Array(16).fill(number), algorithm: 'ecdsa-secp256k1' }),
  )
  return {
    address: deriveAddress(publicKey),
    /** The signed bytes of a transaction of theirs. */
    blobOf(transaction: Json): string {
      const whole = { Flags: 0, Fee: String(openLedgerFee), SigningPubKey: publicKey, ...transaction }
      return encode({ ...whole, TxnSignature: sign(encodeForSigning(whole), privateKey) })
    },
  }
}

export type Opening = Partial<
  Pick<XrpNodeGateOptions, 'agreement' | 'showsPending' | 'networkId' | 'fees'>
> & { readonly rpc?: Omit<NodeRpcOptions, 'url'> }

/** Who issues RLUSD on ledgers of tests, and our contract for it. */
export const issuer = payer(4)
export const rippleUsd = { currency: '524C555344000000000000000000000000000000', issuer: issuer.address }
const chain: GateChain = {
  kind: 'xrp',
  tokens: [{ code: 'RLUSD', contract: `${rippleUsd.currency}.${rippleUsd.issuer}` }],
}
export const testFamily = () => familyOf(networkOf('xrp'), 'test', publicKeys, currencies, chain)
export const testAssets = () => assetsOf(networkOf('xrp'), 'test', currencies, chain)

/** The gate of the XRP Ledger at these servers, and a function that closes its connections. */
export function openXrpGate(
  urls: readonly string[],
  { rpc = {}, ...options }: Opening = {},
): { gate: NodeGate; close(): void } {
  const network = networkOf('xrp')
  const endpoints = urls.map((url) => ({ place: new URL(url).host, rpc: xrpRpc({ url, ...rpc }) }))
  const gate = xrpNodeGate({
    network,
    environment: 'test',
    keychain: 'xrp-test',
    assets: testAssets(),
    family: testFamily(),
    networkId: 1,
    endpoints,
    agreement: 1,
    showsPending: true,
    fees: { floor: 10n, ceiling: 10_000n },
    ...options,
  })
  return {
    gate,
    close() {
      for (const { rpc: each } of endpoints) each.close()
    },
  }
}

/** A ledger with our account, a stranger's, and someone with nearly everything there is. */
function fundedLedger(firstIndex?: number) {
  const funded = {
    [publicKeys.xrp]: 100n * xrp,
    [stranger]: 100n * xrp,
    [payer(1).address]: 9n * 10n ** 16n,
    [issuer.address]: 100n * xrp,
  }
  const ledger = xrpLedger(funded, firstIndex)
  Object.assign(ledger.account(issuer.address) ?? {}, { flags: issuerBits.defaultRipple })
  for (const holder of [publicKeys.xrp, stranger, payer(1).address]) trust(ledger, holder)
  ledger.trust.pay({
    Account: issuer.address,
    Destination: payer(1).address,
    Amount: { ...rippleUsd, value: '900000000' },
  })
  return ledger
}

/** Lets an account hold RLUSD. */
export function trust(ledger: XrpLedger, holder: string, value = '1000000000'): void {
  ledger.trust.trust({ Account: holder, LimitAmount: { ...rippleUsd, value } }, true)
}

export type XrpHarness = GateHarness & {
  readonly server: XrpServer
  readonly proxy: FaultProxy
  readonly gate: NodeGate
  /** Submits a payment to our account, changed by these fields, and returns its hash. */
  send(fields: Json): string
}

/** The gate on a server that speaks the API from a ledger of ours. Only the connection to it can be cut. */
export async function xrpHarness(options: Opening = {}, firstIndex?: number): Promise<XrpHarness> {
  const server = await startXrpServer(fundedLedger(firstIndex))
  const proxy = await startFaultProxy(server.url)
  const open = () => openXrpGate([proxy.url], options)
  let opened = open()
  let purses = 0

  function send(fields: Json): string {
    const { address, blobOf } = payer(1)
    const blob = blobOf({
      TransactionType: 'Payment',
      Account: address,
      Sequence: server.ledger.nextSequence(address),
      Destination: publicKeys.xrp,
      ...fields,
    })
    const result = server.ledger.submit(blob)
    if (result !== 'tesSUCCESS') throw new Error(`The payment is refused: ${result}.`)
    return hashOfBlob(blob)
  }

  return {
    server,
    proxy,
    send,
    get gate() {
      return opened.gate
    },
    deposit: (index) => opened.gate.depositAddress(index) ?? { address: '', tag: null },
    stranger: { address: stranger, tag: '1' },
    watch: watching,
    async pay([paid]) {
      if (paid === undefined) throw new Error('A payment has one line.')
      const { to, units, currency } = paid
      const tag = to.tag === null ? {} : { DestinationTag: Number(to.tag) }
      const amount =
        currency === 'XRP' ? String(units) : { ...rippleUsd, value: formatDecimal(units, rippleUsdDecimals) }
      return send({ Destination: to.address, Amount: amount, ...tag })
    },
    mine: async (count) => server.ledger.closeLedgers(count),
    reorganise: async () => {
      throw new Error('Validated ledgers are never replaced.')
    },
    replace: async () => {
      throw new Error('A payment in the open ledger is not replaced.')
    },
    async purse() {
      return makePurse(opened.gate, 1_000 + purses++, await opened.gate.nextNonce(publicKeys.xrp))
    },
    ...plugOf(proxy),
    async restart() {
      opened.close()
      opened = open()
    },
    async close() {
      opened.close()
      await proxy.close()
      await server.close()
    },
  }
}
