import { randomBytes } from 'node:crypto'
import { makeTestWallet } from '../../src/signer/wallet-file.ts'

/** A process that creates the test wallet in the given folder, to be killed meanwhile. */
const [, , dataDir = ''] = process.argv
process.stdout.write('making\n')
const { words } = await makeTestWallet(dataDir, randomBytes)
process.stdout.write(`${words}\n`)
