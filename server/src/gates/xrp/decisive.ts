import { shownText } from '../shown-text.ts'
import { UntrueAnswer } from '../trial/untrue.ts'
import { encodeClassicAddress } from './address.ts'
import { type BinaryField, fieldOf, readBinaryObject, UnreadableObject } from './binary-object.ts'
import { type IssuedAmount, issuedFromBytes, shownAtoms } from './issued-amount.ts'
import type { TransactionBytes } from './ledger-hash.ts'
import { readObject } from './node-answers.ts'
import { balanceChanges, endedEscrows } from './node-transfers.ts'
import { type LineChange, lineChanges } from './trust-lines.ts'

const accountBytes = 20
// Types and numbers of fields: https://xrpl.org/docs/references/protocol/binary-format
const transactionType = [1, 2] as const
const transactionResult = [16, 3] as const
const fee = [6, 8] as const
const sender = [8, 1] as const
const destination = [8, 3] as const
const delegate = [8, 12] as const
const destinationTag = [2, 14] as const
const affectedNodes = [15, 8] as const
const entryType = [1, 1] as const
const account = [8, 1] as const
const balance = [6, 2] as const
const lowLimit = [6, 6] as const
const highLimit = [6, 7] as const
const previousFields = [14, 6] as const
const finalFields = [14, 7] as const
const newFields = [14, 8] as const
// What happened to an entry of the ledger is the number of the field that it is in.
const createdNode = 3
const deletedNode = 4
const accountRoot = 0x61
const escrow = 0x75
const trustLine = 0x72
const payment = 0
const escrowFinish = 2
const success = 0
const dropsMask = 2n ** 62n - 1n
/** The account whose id is 0: servers write it as nothing, too, in what validators change without a sender. */
const nobody = encodeClassicAddress(new Uint8Array(accountBytes))

/** The parts of a transaction that decide what the gate credits, as a server shows them or as its bytes have them. */
type Decisive = {
  readonly type: 'Payment' | 'EscrowFinish' | 'another'
  readonly outcome: 'success' | 'failure'
  readonly sender: unknown
  readonly delegate: unknown
  readonly receiver: unknown
  readonly 'destination tag': unknown
  /** In drops. */
  readonly fee: unknown
  /** The receivers and tags of the escrows that it ends, as JSON, so that no two lists look the same. */
  readonly 'list of ended escrows': string
  /** In drops, by account; none where nothing changed. */
  readonly changes: ReadonlyMap<string, bigint>
  /** The same in other currencies, in atoms, by trust line. */
  readonly lines: ReadonlyMap<string, bigint>
}

const facts = [
  'type',
  'outcome',
  'sender',
  'delegate',
  'receiver',
  'destination tag',
  'fee',
  'list of ended escrows',
] as const satisfies readonly (keyof Decisive)[]

/** Refuses a transaction that a server shows as another one than its bytes. False where some of the bytes cannot be read. */
export function proveDecisive(
  call: string,
  name: string,
  transaction: Record<string, unknown>,
  bytes: TransactionBytes,
): boolean {
  const said = inBytes(bytes)
  if (said === null) return false
  const shown = inWords(transaction)
  const byBytes = 'by its bytes, whose hash is right,'
  for (const address of new Set([...shown.changes.keys(), ...said.changes.keys()])) {
    const [one, other] = [shown.changes.get(address) ?? 0n, said.changes.get(address) ?? 0n]
    if (one !== other)
      throw new UntrueAnswer({
        call,
        said: `that ${name} changes the balance of ${shownText(address)} by ${one} drops`,
        truth: `${byBytes} it is ${other}`,
      })
  }
  for (const line of new Set([...shown.lines.keys(), ...said.lines.keys()])) {
    const [one, other] = [shown.lines.get(line) ?? 0n, said.lines.get(line) ?? 0n]
    if (one !== other)
      throw new UntrueAnswer({
        call,
        said: `that ${name} changes the trust line ${shownText(line)} by ${shownAtoms(one)}`,
        truth: `${byBytes} it is ${shownAtoms(other)}`,
      })
  }
  for (const what of facts)
    if (shown[what] !== said[what])
      throw new UntrueAnswer({
        call,
        said: `that the ${what} of ${name} is ${shownText(shown[what] ?? 'none')}`,
        truth: `${byBytes} it is ${shownText(said[what] ?? 'none')}`,
      })
  return true
}

function inWords(transaction: Record<string, unknown>): Decisive {
  const metadata = readObject(transaction.metaData, 'a transaction has no metadata')
  const { TransactionType, Account, Delegate, Destination, DestinationTag, Fee } = transaction
  const isKnown = TransactionType === 'Payment' || TransactionType === 'EscrowFinish'
  const escrows = endedEscrows(metadata).map((last) => [
    last.Destination ?? null,
    last.DestinationTag ?? null,
  ])
  return {
    type: isKnown ? TransactionType : 'another',
    outcome: metadata.TransactionResult === 'tesSUCCESS' ? 'success' : 'failure',
    sender: Account === '' ? nobody : (Account ?? null),
    delegate: Delegate ?? null,
    receiver: Destination ?? null,
    'destination tag': DestinationTag ?? null,
    fee: Fee ?? null,
    'list of ended escrows': JSON.stringify(escrows),
    changes: balanceChanges(metadata),
    lines: new Map(lineChanges(metadata).map((each) => [lineName(each), each.after - each.before])),
  }
}

/** Null where the bytes hold something that we cannot read yet, such as a type of field that is newer. */
function inBytes(bytes: TransactionBytes): Decisive | null {
  try {
    const [transaction, metadata] = [readBinaryObject(bytes.blob), readBinaryObject(bytes.metadata)]
    const entries = fieldOf(metadata, ...affectedNodes)?.inside ?? []
    const type = numberIn(fieldOf(transaction, ...transactionType))
    const drops = dropsIn(fieldOf(transaction, ...fee))
    return {
      type: type === payment ? 'Payment' : type === escrowFinish ? 'EscrowFinish' : 'another',
      outcome: numberIn(fieldOf(metadata, ...transactionResult)) === success ? 'success' : 'failure',
      sender: addressIn(fieldOf(transaction, ...sender)),
      delegate: addressIn(fieldOf(transaction, ...delegate)),
      receiver: addressIn(fieldOf(transaction, ...destination)),
      'destination tag': numberIn(fieldOf(transaction, ...destinationTag)),
      fee: drops === null ? null : String(drops),
      'list of ended escrows': JSON.stringify(entries.flatMap((entry) => escrowIn(entry) ?? [])),
      changes: new Map(entries.flatMap((entry) => changeIn(entry) ?? [])),
      lines: new Map(entries.flatMap((entry) => lineIn(entry) ?? [])),
    }
  } catch (error) {
    if (error instanceof UnreadableObject) return null
    throw error
  }
}

/** What an account had more afterwards; null where the entry is another one. */
function changeIn({ number, inside }: BinaryField): readonly [string, bigint][] | null {
  if (numberIn(fieldOf(inside, ...entryType)) !== accountRoot) return null
  const now = (fieldOf(inside, ...finalFields) ?? fieldOf(inside, ...newFields))?.inside ?? []
  const address = addressIn(fieldOf(now, ...account))
  const after = dropsIn(fieldOf(now, ...balance))
  if (address === null || after === null) return null
  if (number === createdNode) return [[address, after]]
  const before = dropsIn(fieldOf(fieldOf(inside, ...previousFields)?.inside ?? [], ...balance))
  return before === null ? null : [[address, after - before]]
}

/** By how much a trust line changed; null where the entry is another one. */
function lineIn({ number, inside }: BinaryField): readonly [string, bigint][] | null {
  if (numberIn(fieldOf(inside, ...entryType)) !== trustLine) return null
  const now = (fieldOf(inside, ...finalFields) ?? fieldOf(inside, ...newFields))?.inside ?? []
  const previous = fieldOf(fieldOf(inside, ...previousFields)?.inside ?? [], ...balance)
  if (number !== createdNode && previous === null) return null
  const [low, high] = [issuedIn(fieldOf(now, ...lowLimit)), issuedIn(fieldOf(now, ...highLimit))]
  if (low === null || high === null) throw new UnreadableObject('A trust line has no limit.')
  const after = issuedIn(fieldOf(now, ...balance))?.atoms ?? 0n
  const before = number === createdNode ? 0n : (issuedIn(previous)?.atoms ?? 0n)
  return [[lineName({ currency: low.currency, low: low.issuer, high: high.issuer }), after - before]]
}

function lineName({ currency, low, high }: Pick<LineChange, 'currency' | 'low' | 'high'>): string {
  return `${currency} of ${low} and ${high}`
}

function issuedIn(field: BinaryField | null): IssuedAmount | null {
  if (field === null) return null
  const read = issuedFromBytes(field.content)
  if (read === null) throw new UnreadableObject('It has an amount in another form.')
  return read
}

/** Receiver and tag of an escrow that ends; null where the entry is another one. */
function escrowIn({ number, inside }: BinaryField): readonly [string | null, number | null][] | null {
  if (number !== deletedNode || numberIn(fieldOf(inside, ...entryType)) !== escrow) return null
  const last = fieldOf(inside, ...finalFields)?.inside ?? []
  return [[addressIn(fieldOf(last, ...destination)), numberIn(fieldOf(last, ...destinationTag))]]
}

function numberIn(field: BinaryField | null): number | null {
  return field === null ? null : field.content.reduce((number, byte) => number * 256 + byte, 0)
}

function dropsIn(field: BinaryField | null): bigint | null {
  if (field === null) return null
  const { buffer, byteOffset, byteLength } = field.content
  return new DataView(buffer, byteOffset, byteLength).getBigUint64(0) & dropsMask
}

function addressIn(field: BinaryField | null): string | null {
  if (field === null) return null
  const { content } = field
  if (content.length === 0) return nobody
  if (content.length !== accountBytes) throw new UnreadableObject('It has an account of another size.')
  return encodeClassicAddress(content)
}
