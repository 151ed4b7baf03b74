import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../domain/environment.ts'
import type { ApprovalKind } from '../domain/payout-policy.ts'
import { type LineBody, openChainedFile, readChainedLines } from './chained-file.ts'
import { WalletError } from './wallet-file.ts'

/** A passkey whose approvals this signer accepts for a merchant. */
export type Pin = {
  readonly merchantId: string
  readonly userId: string
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  /** `first_sight`: the merchant's first; `vouched`: a trusted passkey vouched for it; `operator`: trusted by hand here. */
  readonly how: 'first_sight' | 'vouched' | 'operator'
  readonly at: Date
}

/** The latest approval rule from the merchant's people, or from the operator on this host. */
export type Demand = {
  readonly merchantId: string
  readonly approval: ApprovalKind
  readonly approvalsRequired: number
  /** An older statement never replaces a newer one. */
  readonly statedAt: Date
  readonly how: 'passkey' | 'operator'
}

/** Why a passkey is no longer trusted. `statement` is the hash of the signed statement, which takes effect only once. */
export type Forgetting = {
  readonly merchantId: string
  readonly credentialId: Buffer
  readonly how: 'passkey' | 'operator'
  readonly statement: string | null
  readonly at: Date
}

/** The signer's record of passkeys on its own disk, which no one with only the database can change. */
export type PasskeyPins = PinBook & {
  pin(pin: Pin): void
  forget(forgetting: Forgetting): void
  demand(demand: Demand): void
  /** Writes the changes durably to disk. */
  save(): Promise<void>
  close(): Promise<void>
}

export type PinBook = ReturnType<typeof createPinBook>

const version = 1

export function pinsPath(dataDir: string, environment: Environment): string {
  return join(dataDir, 'wallet', `${environment}-passkeys.jsonl`)
}

/** Opens or creates a signer's record of passkeys. The caller holds the folder's lock. */
export async function openPins(path: string, environment: Environment): Promise<PasskeyPins> {
  const book = createPinBook()
  const file = await openChainedFile(path, reader(book, environment), (line) => damaged(path, line))
  try {
    if (file.isNew) {
      file.add({ version, passkeys_of: environment })
      await file.save()
    }
  } catch (error) {
    await file.close()
    throw error
  }
  const add = (body: LineBody) => {
    file.add({ version, ...body })
    take(book, body)
  }
  return {
    ...book,
    pin: (pin) => add({ pinned: pinJson(pin) }),
    forget: ({ credentialId, at, ...rest }) =>
      add({ forgotten: { ...rest, credentialId: hex(credentialId), at: at.toISOString() } }),
    demand: ({ statedAt, ...rest }) => add({ demand: { ...rest, statedAt: statedAt.toISOString() } }),
    save: file.save,
    close: file.close,
  }
}

/** Reads a signer's record of passkeys, even while the signer runs; empty where there is none. */
export async function readPins(path: string, environment: Environment): Promise<PinBook> {
  const book = createPinBook()
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (file === null) return book
  try {
    await readChainedLines(file, reader(book, environment), (line) => damaged(path, line))
    return book
  } finally {
    await file.close()
  }
}

function createPinBook() {
  const pins = new Map<string, Map<string, Pin>>()
  const forgotten = new Set<string>()
  const used = new Set<string>()
  const demands = new Map<string, Demand>()
  return {
    all: (): Pin[] => [...pins.values()].flatMap((each) => [...each.values()]),
    /** Every merchant that ever had a trusted passkey. */
    merchants: (): string[] => [...pins.keys()],
    /** Whether a merchant ever had a trusted passkey: then no other is trusted on first sight. */
    hasEver: (merchantId: string): boolean => pins.has(merchantId),
    find: (merchantId: string, credentialId: Buffer): Pin | null =>
      pins.get(merchantId)?.get(hex(credentialId)) ?? null,
    isForgotten: (merchantId: string, credentialId: Buffer): boolean =>
      forgotten.has(`${merchantId} ${hex(credentialId)}`),
    isUsed: (statement: string): boolean => used.has(statement),
    demandOf: (merchantId: string): Demand | null => demands.get(merchantId) ?? null,

    notePin(pin: Pin): void {
      const own = pins.get(pin.merchantId) ?? new Map<string, Pin>()
      pins.set(pin.merchantId, own.set(hex(pin.credentialId), pin))
      forgotten.delete(`${pin.merchantId} ${hex(pin.credentialId)}`)
    },
    noteForgetting({ merchantId, credentialId, statement }: Forgetting): void {
      const own = pins.get(merchantId) ?? new Map<string, Pin>()
      own.delete(hex(credentialId))
      pins.set(merchantId, own)
      forgotten.add(`${merchantId} ${hex(credentialId)}`)
      if (statement !== null) used.add(statement)
    },
    noteDemand(demand: Demand): void {
      demands.set(demand.merchantId, demand)
    },
  }
}

function reader(book: PinBook, environment: Environment) {
  return (body: LineBody, _place: unknown, line: number): boolean => {
    if (body.version !== version) return false
    if (line === 0) return body.passkeys_of === environment
    return take(book, body)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: its checksum has shown that we wrote it
function take(book: PinBook, { pinned, forgotten, demand }: any): boolean {
  const bytes = (text: string) => Buffer.from(text, 'hex')
  if (pinned !== undefined)
    book.notePin({
      ...pinned,
      credentialId: bytes(pinned.credentialId),
      publicKey: bytes(pinned.publicKey),
      at: new Date(pinned.at),
    })
  else if (forgotten !== undefined)
    book.noteForgetting({
      ...forgotten,
      credentialId: bytes(forgotten.credentialId),
      at: new Date(forgotten.at),
    })
  else if (demand !== undefined) book.noteDemand({ ...demand, statedAt: new Date(demand.statedAt) })
  else return false
  return true
}

function pinJson({ credentialId, publicKey, at, ...rest }: Pin) {
  return {
    ...rest,
    credentialId: hex(credentialId),
    publicKey: hex(publicKey),
    at: at.toISOString(),
  }
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex')
}

function damaged(path: string, line: number): WalletError {
  return new WalletError(
    `${path} is damaged at line ${line}: the line is not what was written there. Nothing is signed without this file, since ` +
      'only it says whose approvals count. Restore it from a backup; or move it away, start the signer, and check which ' +
      'passkeys it trusts then: npx sluice passkey list',
  )
}
