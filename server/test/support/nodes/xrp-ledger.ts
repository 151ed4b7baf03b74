import { createHash } from 'node:crypto'
import { decode, encode, encodeForSigning } from 'ripple-binary-codec'
import { ledgerHash, transactionTreeHash } from 'ripple-binary-codec/dist/ledger-hashes.js'
import { deriveAddress, verify } from 'ripple-keypairs'
import { changedLines, type Lines, valueText, xrpLines } from './xrp-lines.ts'

/**
 * The rules of the XRP Ledger that decide over payments, on the bytes that its servers take. Everything is read by the ledger's
 * own libraries, with code that is not ours. https://xrpl.org/docs/references/protocol/transactions
 */

// biome-ignore lint/suspicious/noExplicitAny: whatever a transaction and its metadata have
export type Json = any
type Account = {
  balance: bigint
  sequence: number
  flags: number
  owned: number
  /** In billionths, for what it issues. */
  transferRate?: number
}
type Accounts = Map<string, Account>
type Submitted = { readonly hash: string; readonly tx: Json }
export type Closed = {
  readonly index: number
  readonly hash: string
  readonly parentHash: string
  /** Seconds since 2000. */
  readonly closeTime: number
  /** The other fields that its hash covers. */
  readonly header: Json
  readonly transactions: readonly { readonly hash: string; readonly tx: Json; readonly meta: Json }[]
  readonly accounts: Accounts
  readonly lines: Lines
}

export const baseFee = 10n
/** With less, a transaction waits in the queue: ledgers are busy. */
export const openLedgerFee = 5_000n
export const reserveBase = 1_000_000n
export const reserveEach = 200_000n
export const flagBits = { requireDest: 0x00020000, depositAuth: 0x01000000 }
const partialPayment = 0x00020000
const usualFirst = 1_000
const epochSeconds = 946_684_800
// A transaction in the queue is replaced by one that pays a quarter more.
const replacing = { times: 5n, of: 4n }

const digest = (text: string) => createHash('sha256').update(text).digest('hex').toUpperCase()

/** The hash of signed bytes. */
export function hashOfBlob(blob: string): string {
  const bytes = Buffer.concat([Buffer.from('TXN\0'), Buffer.from(blob, 'hex')])
  return createHash('sha512').update(bytes).digest('hex').slice(0, 64).toUpperCase()
}

/** An error of the API, in place of a result. */
export class ApiError extends Error {
  readonly code: number
  constructor(name: string, code: number) {
    super(name)
    this.code = code
  }
}

/** A ledger of its own, which closes when it is told to. */
export function xrpLedger(funded: Readonly<Record<string, bigint>>, firstIndex = usualFirst) {
  const accounts: Accounts = new Map(
    Object.entries(funded).map(([address, balance]) => [
      address,
      { balance, sequence: 1, flags: 0, owned: 0 },
    ]),
  )
  const trust = xrpLines((address) => accounts.get(address))
  const closed: Closed[] = []
  let open: Submitted[] = []
  let queue: Submitted[] = []
  const remembered = new Map<string, Submitted>()

  function close(transactions: Closed['transactions']): void {
    const index = (closed.at(-1)?.index ?? firstIndex - 1) + 1
    const parentHash = closed.at(-1)?.hash ?? digest('the first ledger')
    const closeTime = Math.floor(Date.now() / 1_000) - epochSeconds
    const list = transactions.map((each) => ({ ...each.tx, hash: each.hash, metaData: each.meta }))
    const header = {
      account_hash: digest(`the accounts of ${index}`),
      close_flags: 0,
      close_time_resolution: 10,
      parent_close_time: closed.at(-1)?.closeTime ?? closeTime,
      total_coins: String([...accounts.values()].reduce((sum, { balance }) => sum + balance, 0n)),
      transaction_hash: transactionTreeHash(list).toHex(),
    }
    const fields = { ...header, ledger_index: index, parent_hash: parentHash, close_time: closeTime }
    const hash = ledgerHash(fields as Json).toHex()
    const kept = new Map([...accounts].map(([address, account]) => [address, { ...account }]))
    closed.push({
      index,
      hash,
      parentHash,
      closeTime,
      header,
      transactions,
      accounts: kept,
      lines: trust.copy(),
    })
  }
  close([])

  const currentIndex = () => (closed.at(-1)?.index ?? 0) + 1
  /** The next sequence number of an account, with what is in the open ledger. */
  const nextSequence = (address: string) =>
    (accounts.get(address)?.sequence ?? 0) + open.filter(({ tx }) => tx.Account === address).length

  /** Why a transaction gets into no ledger; null when it may. */
  function preflight(tx: Json): string | null {
    const { Account, Amount, Destination, Fee, Flags = 0, TransactionType, SigningPubKey } = tx
    const { TxnSignature = '', ...unsigned } = tx
    if (SigningPubKey === '' || !isSigned(unsigned, TxnSignature)) return 'temBAD_SIGNATURE'
    if (deriveAddress(SigningPubKey) !== Account) return 'tefBAD_AUTH'
    if (BigInt(Fee) < baseFee) return 'telINSUF_FEE_P'
    if (tx.Sequence === 0) return 'temSEQ_AND_TICKET'
    if (TransactionType === 'AccountSet') return null
    if (TransactionType === 'TrustSet') return tx.LimitAmount.issuer === Account ? 'temDST_IS_SRC' : null
    if (TransactionType !== 'Payment') return 'temUNKNOWN'
    if (Amount === '0' || Amount.value === '0') return 'temBAD_AMOUNT'
    if (Destination === Account) return 'temREDUNDANT'
    if (typeof Amount === 'string' && (Flags & partialPayment) !== 0) return 'temBAD_SEND_XRP_PARTIAL'
    return null
  }

  function submit(blob: string): string {
    let tx: Json
    try {
      tx = decode(blob)
    } catch {
      throw new ApiError('invalidTransaction', 31)
    }
    const wrong = preflight(tx)
    if (wrong !== null) return wrong
    const one = { hash: hashOfBlob(blob), tx }
    const account = accounts.get(tx.Account)
    if (account === undefined) return 'terNO_ACCOUNT'
    if (tx.LastLedgerSequence < currentIndex()) return 'tefMAX_LEDGER'
    const next = nextSequence(tx.Account)
    if (tx.Sequence < next) return 'tefPAST_SEQ'
    const rival = queue.find((each) => each.tx.Account === tx.Account && each.tx.Sequence === tx.Sequence)
    if (rival !== undefined && BigInt(tx.Fee) * replacing.of < BigInt(rival.tx.Fee) * replacing.times)
      return 'telCAN_NOT_QUEUE_FEE'
    queue = queue.filter((each) => each !== rival)
    remembered.set(one.hash, one)
    if (tx.Sequence === next && BigInt(tx.Fee) >= openLedgerFee) {
      open.push(one)
      return 'tesSUCCESS'
    }
    queue.push(one)
    return tx.Sequence === next ? 'terQUEUED' : 'terPRE_SEQ'
  }

  /** Executes what its turn it is; null when it is not its turn. */
  function apply({ hash, tx }: Submitted, at: number): Closed['transactions'][number] | null {
    const sender = accounts.get(tx.Account)
    const fee = BigInt(tx.Fee)
    if (sender === undefined || sender.sequence !== tx.Sequence || sender.balance < fee) return null
    const before = new Map([...accounts].map(([address, account]) => [address, { ...account }]))
    const linesBefore = trust.copy()
    sender.balance -= fee
    sender.sequence++
    const { result, delivered } = execute(tx, sender)
    const meta = {
      AffectedNodes: [
        ...[...accounts].flatMap(([address, now]) => changed(address, before.get(address), now)),
        ...changedLines(linesBefore, trust.lines),
      ],
      TransactionIndex: at,
      TransactionResult: result,
      ...(delivered !== null && { delivered_amount: delivered }),
    }
    return { hash, tx, meta }
  }

  /** The result of a transaction, and what a payment has delivered. */
  function execute(tx: Json, sender: Account): { result: string; delivered: Json } {
    const done = (result: string) => ({ result, delivered: null })
    if (tx.TransactionType === 'AccountSet') return done(set(tx, sender))
    if (tx.TransactionType === 'TrustSet') {
      const kept = reserveBase + reserveEach * BigInt(sender.owned + 1)
      const { result, isNew } = trust.trust(tx, sender.balance >= kept)
      if (isNew) sender.owned++
      return done(result)
    }
    if (typeof tx.Amount === 'string') {
      const result = pay(tx, sender)
      return { result, delivered: result === 'tesSUCCESS' ? tx.Amount : null }
    }
    const receiver = accounts.get(tx.Destination)
    if (receiver === undefined) return done('tecNO_DST')
    const refused = refusedBy(receiver, tx)
    if (refused !== null) return done(refused)
    const { result, delivered } = trust.pay(tx)
    return {
      result,
      delivered: result === 'tesSUCCESS' ? { ...tx.Amount, value: valueText(delivered) } : null,
    }
  }

  function refusedBy({ flags }: Account, tx: Json): string | null {
    if ((flags & flagBits.requireDest) !== 0 && tx.DestinationTag === undefined) return 'tecDST_TAG_NEEDED'
    return (flags & flagBits.depositAuth) !== 0 ? 'tecNO_PERMISSION' : null
  }

  function pay(tx: Json, sender: Account): string {
    const amount = BigInt(tx.Amount)
    const receiver = accounts.get(tx.Destination)
    if (receiver === undefined && amount < reserveBase) return 'tecNO_DST_INSUF_XRP'
    const refused = receiver === undefined ? null : refusedBy(receiver, tx)
    if (refused !== null) return refused
    if (sender.balance - amount < reserveBase + reserveEach * BigInt(sender.owned))
      return 'tecUNFUNDED_PAYMENT'
    sender.balance -= amount
    if (receiver === undefined)
      accounts.set(tx.Destination, { balance: amount, sequence: currentIndex(), flags: 0, owned: 0 })
    else receiver.balance += amount
    return 'tesSUCCESS'
  }

  function set({ SetFlag }: Json, sender: Account): string {
    // asfRequireDest and asfDepositAuth
    if (SetFlag === 1) sender.flags |= flagBits.requireDest
    if (SetFlag === 9) sender.flags |= flagBits.depositAuth
    return 'tesSUCCESS'
  }

  return {
    closed,
    submit,
    currentIndex,
    open: () => open,
    nextSequence,
    queueOf: (address: string) => queue.filter(({ tx }) => tx.Account === address),
    account: (address: string) => accounts.get(address),
    trust,
    remembered: (hash: string) => remembered.get(hash),
    /** Closes this many ledgers, the first with what waits. */
    closeLedgers(count: number): void {
      for (let made = 0; made < count; made++) {
        const done: Closed['transactions'][number][] = []
        let left = [...open, ...queue.toSorted((one, other) => Number(other.tx.Fee) - Number(one.tx.Fee))]
        for (let size = -1; size !== done.length; ) {
          size = done.length
          left = left.filter((one) => {
            const executed = apply(one, done.length)
            if (executed !== null) done.push(executed)
            return executed === null
          })
        }
        const isAlive = ({ tx }: Submitted) =>
          tx.Sequence >= (accounts.get(tx.Account)?.sequence ?? 0) &&
          !(tx.LastLedgerSequence <= currentIndex())
        open = []
        queue = left.filter(isAlive)
        close(done)
      }
    },
  }
}

export type XrpLedger = ReturnType<typeof xrpLedger>

/** The bytes of a ledger's header, as a server shows them. */
export function ledgerData({ index, header, parentHash, closeTime }: Closed): string {
  const number = (value: number | bigint, bytes: number) =>
    value
      .toString(16)
      .padStart(2 * bytes, '0')
      .toUpperCase()
  return [
    number(index, 4),
    number(BigInt(header.total_coins), 8),
    parentHash,
    header.transaction_hash,
    header.account_hash,
    number(header.parent_close_time, 4),
    number(closeTime, 4),
    number(header.close_time_resolution, 1),
    number(header.close_flags, 1),
  ].join('')
}

/** The bytes of a transaction and of what it did. */
export function bytesOf({ tx, meta }: Closed['transactions'][number]): { tx_blob: string; meta: string } {
  const { delivered_amount: _, ...stored } = meta
  return { tx_blob: encode(tx), meta: encode(stored) }
}

function isSigned(unsigned: Json, signature: string): boolean {
  try {
    return verify(encodeForSigning(unsigned), signature, unsigned.SigningPubKey)
  } catch {
    return false
  }
}

function changed(address: string, before: Account | undefined, now: Account): Json[] {
  const fields = (account: Account) => ({
    Account: address,
    Balance: String(account.balance),
    Flags: account.flags,
    OwnerCount: account.owned,
    Sequence: account.sequence,
  })
  const entry = { LedgerEntryType: 'AccountRoot', LedgerIndex: digest(address) }
  if (before === undefined) return [{ CreatedNode: { ...entry, NewFields: fields(now) } }]
  const [old, final] = [fields(before), fields(now)] as [Json, Json]
  const previous = Object.fromEntries(Object.entries(old).filter(([name, value]) => final[name] !== value))
  if (Object.keys(previous).length === 0) return []
  return [{ ModifiedNode: { ...entry, FinalFields: final, PreviousFields: previous } }]
}
