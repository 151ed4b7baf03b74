import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../domain/environment.ts'
import { noPolicy, type PayoutPolicy } from '../domain/payout-policy.ts'
import { type LineBody, openChainedFile, readChainedLines } from './chained-file.ts'
import {
  createPinBook,
  type Forgetting,
  type Pin,
  type PinBook,
  type PinnedDestination,
  type PinnedPolicy,
} from './pin-book.ts'
import { always } from './standing.ts'
import { WalletError } from './wallet-file.ts'

/** The signer's record of passkeys on its own disk, which no one with only the database can change. */
export type PasskeyPins = PinBook & {
  pin(pin: Pin): void
  forget(forgetting: Forgetting): void
  setPolicy(policy: PinnedPolicy): void
  setDestination(said: PinnedDestination): void
  /** Writes the changes durably to disk. */
  save(): Promise<void>
  close(): Promise<void>
}

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
    // As it will be read again: bytes in hexadecimal, amounts and times as texts.
    const plain = JSON.parse(JSON.stringify(body, asText))
    file.add({ version, ...plain })
    take(book, plain)
  }
  return {
    ...book,
    pin: ({ credentialId, publicKey, ...rest }) =>
      add({ pinned: { ...rest, credentialId: hex(credentialId), publicKey: hex(publicKey) } }),
    forget: ({ credentialId, ...rest }) => add({ forgotten: { ...rest, credentialId: hex(credentialId) } }),
    setPolicy: (policy) => add({ policy }),
    setDestination: (destination) => add({ destination }),
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

function reader(book: PinBook, environment: Environment) {
  return (body: LineBody, _place: unknown, line: number): boolean => {
    if (body.version !== version) return false
    if (line === 0) return body.passkeys_of === environment
    return take(book, body)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: its checksum has shown that we wrote it
function take(book: PinBook, { pinned, forgotten, demand, policy, destination }: any): boolean {
  const bytes = (text: string) => Buffer.from(text, 'hex')
  if (pinned !== undefined)
    book.notePin({
      ...pinned,
      credentialId: bytes(pinned.credentialId),
      publicKey: bytes(pinned.publicKey),
      at: new Date(pinned.at),
      // Lines of earlier versions have none: trust counted at once.
      from: new Date(pinned.from ?? pinned.at),
    })
  else if (forgotten !== undefined)
    book.noteForgetting({
      ...forgotten,
      credentialId: bytes(forgotten.credentialId),
      at: new Date(forgotten.at),
    })
  else if (policy !== undefined)
    book.notePolicy({ ...policy, ...timesOf(policy), policy: policyOf(policy.policy) })
  else if (destination !== undefined) book.noteDestination({ ...destination, ...timesOf(destination) })
  else if (demand !== undefined) book.notePolicy(policyOfDemand(demand))
  else return false
  return true
}

/** A line of earlier versions, which kept only the rules for approvals. */
// biome-ignore lint/suspicious/noExplicitAny: as above
function policyOfDemand({ approval, approvalsRequired, statedAt, merchantId, how }: any): PinnedPolicy {
  return {
    ...always,
    merchantId,
    how,
    policy: { ...noPolicy, approval, approvalsRequired },
    baseCurrency: null,
    statedAt: new Date(statedAt),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function policyOf({ maxPayout, maxDay, ...rules }: any): PayoutPolicy {
  const limit = (text: string | null) => (text === null ? null : BigInt(text))
  return { ...rules, maxPayout: limit(maxPayout), maxDay: limit(maxDay) }
}

function timesOf({ statedAt, at, from }: Record<'statedAt' | 'at' | 'from', string>) {
  return { statedAt: new Date(statedAt), at: new Date(at), from: new Date(from) }
}

function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
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
