import { randomBytes } from 'node:crypto'
import { makeTestWallet } from '../../src/signer/wallet-file.ts'

/** A process that makes the test wallet of the folder it is given, to be killed while it does. */
const [, , dataDir = ''] = process.argv
process.stdout.write('making\n')
const { words } = await makeTestWallet(dataDir, randomBytes)
process.stdout.write(`${words}\n`)
