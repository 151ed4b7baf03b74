import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  ApiError,
  baseFee,
  bytesOf,
  type Closed,
  type Json,
  ledgerData,
  openLedgerFee,
  reserveBase,
  reserveEach,
  type XrpLedger,
} from './xrp-ledger.ts'
import { lineFields } from './xrp-lines.ts'

/** What a server of the XRP Ledger says about itself, and which ledgers it keeps. */
export type ServerState = {
  networkId: number | undefined
  state: string | undefined
  amendmentBlocked: boolean
  age: number
  /** The oldest ledger that it has. */
  oldest: number
  /** What it says that a transaction costs. */
  fees: { open: bigint; least: bigint }
}

export type XrpServer = {
  readonly url: string
  readonly ledger: XrpLedger
  readonly state: ServerState
  close(): Promise<void>
}

const drops = 1_000_000

/** A server that speaks rippled's JSON-RPC (https://xrpl.org/docs/references/http-websocket-apis) from a ledger. */
export async function startXrpServer(ledger: XrpLedger): Promise<XrpServer> {
  const state: ServerState = {
    networkId: 1,
    state: 'full',
    amendmentBlocked: false,
    age: 3,
    oldest: ledger.closed[0]?.index ?? 0,
    fees: { open: openLedgerFee, least: baseFee },
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ result: answer(method, params?.[0] ?? {}) }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function answer(method: string, params: Json): Json {
    try {
      const call = methods[method]
      if (call === undefined) throw new ApiError('unknownCmd', 32)
      return { ...call(params), status: 'success' }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { message, code } = error
      return {
        error: message,
        error_code: code,
        error_message: `${message}.`,
        status: 'error',
        request: params,
      }
    }
  }

  function newest(): Closed {
    const found = ledger.closed.at(-1)
    if (found === undefined) throw new ApiError('noNetwork', 17)
    return found
  }

  function validated(index: unknown): Closed {
    if (index === 'validated') return newest()
    const found = ledger.closed.find((each) => each.index === index && each.index >= state.oldest)
    if (found === undefined) throw new ApiError('lgrNotFound', 21)
    return found
  }

  const methods: Record<string, (params: Json) => Json> = {
    server_info: () => ({
      info: {
        build_version: '2.6.0',
        complete_ledgers: `${state.oldest}-${newest().index}`,
        ...(state.networkId !== undefined && { network_id: state.networkId }),
        ...(state.state !== undefined && { server_state: state.state }),
        ...(state.amendmentBlocked && { amendment_blocked: true }),
        load_factor: 1,
        peers: 21,
        validated_ledger: {
          age: state.age,
          base_fee_xrp: Number(baseFee) / drops,
          hash: newest().hash,
          reserve_base_xrp: Number(reserveBase) / drops,
          reserve_inc_xrp: Number(reserveEach) / drops,
          seq: newest().index,
        },
      },
    }),
    server_state: () => ({
      state: {
        validated_ledger: {
          base_fee: Number(baseFee),
          hash: newest().hash,
          reserve_base: Number(reserveBase),
          reserve_inc: Number(reserveEach),
          seq: newest().index,
        },
      },
    }),
    ledger({ ledger_index, ledger_hash, transactions = false, expand = false, binary = false }) {
      if (ledger_index === 'current') {
        const list = ledger.open().map(({ hash, tx }) => (expand ? { ...tx, hash } : hash))
        const index = ledger.currentIndex()
        return {
          ledger: {
            closed: false,
            ledger_index: String(index),
            parent_hash: newest().hash,
            ...(transactions && { transactions: list }),
          },
          ledger_current_index: index,
          validated: false,
        }
      }
      const named = ledger.closed.find(({ hash }) => hash === ledger_hash)
      const found = validated(ledger_hash === undefined ? ledger_index : named?.index)
      const names = { ledger_hash: found.hash, ledger_index: found.index, validated: true }
      if (binary)
        return {
          ledger: {
            closed: true,
            ledger_data: ledgerData(found),
            ...(transactions && { transactions: found.transactions.map(bytesOf) }),
          },
          ...names,
        }
      const list = found.transactions.map(({ hash, tx, meta }) =>
        expand ? { ...tx, hash, metaData: meta } : hash,
      )
      return {
        ledger: {
          ...found.header,
          close_time: found.closeTime,
          closed: true,
          ledger_hash: found.hash,
          ledger_index: String(found.index),
          parent_hash: found.parentHash,
          ...(transactions && { transactions: list }),
        },
        ...names,
      }
    },
    account_info({ account, ledger_index, queue = false }) {
      const isCurrent = ledger_index === 'current'
      const at = isCurrent ? null : validated(ledger_index)
      const found = at === null ? ledger.account(account) : at.accounts.get(account)
      if (found === undefined) throw new ApiError('actNotFound', 19)
      const queued = ledger
        .queueOf(account)
        .map(({ tx }) => ({ seq: tx.Sequence, fee: tx.Fee, fee_level: '256', auth_change: false }))
      return {
        account_data: {
          Account: account,
          Balance: String(found.balance),
          Flags: found.flags,
          LedgerEntryType: 'AccountRoot',
          OwnerCount: found.owned,
          ...(found.transferRate !== undefined && { TransferRate: found.transferRate }),
          Sequence: isCurrent ? ledger.nextSequence(account) : found.sequence,
        },
        ...(at === null
          ? { ledger_current_index: ledger.currentIndex() }
          : { ledger_index: at.index, ledger_hash: at.hash }),
        ...(queue && {
          queue_data: { txn_count: queued.length, ...(queued.length > 0 && { transactions: queued }) },
        }),
        validated: at !== null,
      }
    },
    ledger_entry({
      ripple_state: {
        accounts: [one, two],
        currency,
      },
      ledger_index,
    }) {
      const at = validated(ledger_index)
      const line = at.lines.get(ledger.trust.keyOf(one, two, currency))
      if (line === undefined) throw new ApiError('entryNotFound', 92)
      const node = { LedgerEntryType: 'RippleState', ...lineFields(line) }
      return { index: 'AB'.repeat(32), ledger_index: at.index, node, validated: true }
    },
    tx({ transaction }) {
      for (const { index, transactions } of ledger.closed) {
        const found = transactions.find(({ hash }) => hash === transaction)
        if (found !== undefined && index >= state.oldest)
          return {
            ...found.tx,
            hash: found.hash,
            ledger_index: index,
            meta: found.meta,
            validated: true,
          }
      }
      const waiting = ledger.remembered(transaction)
      if (waiting === undefined) throw new ApiError('txnNotFound', 29)
      return { ...waiting.tx, hash: waiting.hash, validated: false }
    },
    fee: () => ({
      current_ledger_size: String(ledger.open().length),
      drops: {
        base_fee: String(baseFee),
        median_fee: String(state.fees.open),
        minimum_fee: String(state.fees.least),
        open_ledger_fee: String(state.fees.open),
      },
      ledger_current_index: ledger.currentIndex(),
    }),
    submit({ tx_blob: blob }) {
      const result = ledger.submit(blob)
      const isKept = /^(?:tes|ter)/.test(result)
      return {
        accepted: isKept,
        applied: result === 'tesSUCCESS',
        broadcast: isKept,
        engine_result: result,
        engine_result_message: result,
        kept: isKept,
        queued: result === 'terQUEUED',
        tx_blob: blob,
      }
    },
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ledger,
    state,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
