import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../domain/environment.ts'
import type { ApprovalKind } from '../domain/payout-policy.ts'
import { type LineBody, openChainedFile, readChainedLines } from './chained-file.ts'
import { WalletError } from './wallet-file.ts'

/** A passkey that this signer takes a merchant's approvals from. */
export type Pin = {
  readonly merchantId: string
  readonly userId: string
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  /** `first_sight`: a merchant's first; `vouched`: another of its passkeys said so; `operator`: here, by hand. */
  readonly how: 'first_sight' | 'vouched' | 'operator'
  readonly at: Date
}

/** What a merchant's people, or the operator here, have said last about approvals. */
export type Demand = {
  readonly merchantId: string
  readonly approval: ApprovalKind
  readonly approvalsRequired: number
  /** An older statement never replaces a newer one. */
  readonly statedAt: Date
  readonly how: 'passkey' | 'operator'
}

/** Why a passkey is trusted no longer; `statement` is the hash of what was signed, which does it once. */
export type Forgetting = {
  readonly merchantId: string
  readonly credentialId: Buffer
  readonly how: 'passkey' | 'operator'
  readonly statement: string | null
  readonly at: Date
}

/** What the signer knows of passkeys, on its own disk: whoever holds the database cannot change it. */
export type PasskeyPins = PinBook & {
  pin(pin: Pin): void
  forget(forgetting: Forgetting): void
  demand(demand: Demand): void
  /** Puts on disk, for good, what was said. */
  save(): Promise<void>
  close(): Promise<void>
}

export type PinBook = ReturnType<typeof createPinBook>

const version = 1

export function pinsPath(dataDir: string, environment: Environment): string {
  return join(dataDir, 'wallet', `${environment}-passkeys.jsonl`)
}

/** Opens what a signer knows, or begins it. Hold the folder's lock. */
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

/** What a signer knows, while it may be running; nothing where there is none. */
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
    /** Every merchant that ever had one. */
    merchants: (): string[] => [...pins.keys()],
    /** Whether a merchant ever had one: then none is taken on first sight any more. */
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

// biome-ignore lint/suspicious/noExplicitAny: its sum has shown that we wrote it
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
    `${path} is damaged at line ${line}: it is not what was written there. Nothing is signed without it, since it alone says ` +
      'whose approvals count. Bring it back from a backup; or move it away, start the signer, and compare what it trusts ' +
      'then: npx sluice passkey list',
  )
}
