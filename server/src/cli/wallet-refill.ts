import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import type { App } from '../app/app.ts'
import { refillsFromAccount } from '../app/spends/cold/cold-side.ts'
import { prepareAccountRefill } from '../app/spends/cold/prepare-account-refill.ts'
import { prepareRefill } from '../app/spends/cold/prepare-refill.ts'
import { submitAccountRefill } from '../app/spends/cold/submit-account-refill.ts'
import { submitRefill } from '../app/spends/cold/submit-refill.ts'
import { writeAccountRefill } from '../app/spends/cold/write-account-refill.ts'
import { writeRefill } from '../app/spends/cold/write-refill.ts'
import { isAccountRefill } from '../domain/account-refills.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { ServiceError } from '../domain/errors.ts'
import { maxRefillFileBytes } from '../domain/refills.ts'
import { shownText } from '../shown-error.ts'
import { actorFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import { readId } from './arguments.ts'
import type { Tools } from './tools.ts'
import {
  accountRefillAnswer,
  accountRefillFile,
  accountRefillInWords,
  isAccountRefillFile,
} from './wallet-account-refill.ts'

type Options = {
  readonly network?: string
  readonly environment: Environment
  readonly asset?: string
  readonly amount?: string
  readonly out?: string
  readonly again?: string
  readonly submit?: string
  readonly as?: string
}

/** `wallet refill`: brings coins back from the cold wallet, in a transaction that the operator signs elsewhere. */
export function addWalletRefill(wallet: Command, tools: Tools): void {
  withName(withJson(wallet.command('refill')))
    .description('bring funds back from your cold wallet, with a transaction that you sign there')
    .option('--network <network>', 'the network, such as bitcoin or ethereum')
    .addOption(
      new Option('--environment <name>', 'the environment').choices([...environments]).default('live'),
    )
    .option('--asset <code>', 'the currency, such as USDC; the native one when left out')
    .option('--amount <amount>', 'what the hot wallet is to get, such as 0.5')
    .option('--out <file>', 'where to write what is to be signed; an existing file is not overwritten')
    .option('--again <refill>', 'write the file of this refill once more', readId)
    .addOption(
      new Option('--submit <file>', 'take the signed file or transaction, and send it').conflicts([
        'network',
        'asset',
        'amount',
        'out',
        'again',
      ]),
    )
    .addHelpText(
      'after',
      `
Examples:
  $ npx sluice wallet refill --network bitcoin --amount 0.5 --out refill.psbt
  $ npx sluice wallet refill --submit refill-signed.psbt
  $ npx sluice wallet refill --network ethereum --asset USDC --amount 100 --out refill.json
  $ npx sluice wallet refill --submit refill-signed.txt

Compare the addresses that the first command prints with what the device shows that signs. A refill that you do not
want any more is ended with: npx sluice wallet give-up REFILL`,
    )
    .action((options: Options, command: Command) =>
      options.submit === undefined ? prepare(tools, command, options) : submit(tools, command, options),
    )
}

async function prepare(tools: Tools, command: Command, options: Options): Promise<void> {
  await runOnApp(
    tools,
    command,
    async (app) => {
      const { network, amount, out, again, environment } = options
      if (out === undefined || (again === undefined && (network === undefined || amount === undefined)))
        throw new ServiceError(
          'validation_error',
          'Name --network, --amount and --out to prepare a refill, --again and --out to write its file once more, or --submit to hand it in.',
        )
      const gateId = `${network?.toLowerCase()}-${environment}`
      if (again === undefined) refuseOtherAsset(app, gateId, options.asset)
      // The file comes first: without a place for it, no coins are pinned.
      await writeFile(out, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
        throw unwritable(out, error)
      })
      const wanted = { gateId, amount: amount ?? '', by: actorFrom(options) }
      const removed = async (error: unknown) => {
        await rm(out, { force: true })
        throw error
      }
      if (again === undefined ? refillsFromAccount(app, gateId) : await isFromAccount(app, again)) {
        const currency = options.asset === undefined ? {} : { currency: options.asset }
        const made = await (again === undefined
          ? prepareAccountRefill(app, { ...wanted, ...currency })
          : writeAccountRefill(app, again)
        ).catch(removed)
        await writeFile(out, accountRefillFile(made))
        return accountRefillAnswer(made, out)
      }
      const made = await (again === undefined ? prepareRefill(app, wanted) : writeRefill(app, again)).catch(
        removed,
      )
      await writeFile(out, made.psbt)
      return {
        refill_id: made.id,
        gate_id: made.gateId,
        tx_hash: made.txHash,
        currency: made.currency,
        amount: made.amount,
        network_fee: made.fee,
        hot_address: made.hotAddress,
        change: made.change,
        file: out,
      }
    },
    (made) => {
      if ('cold_address' in made) return accountRefillInWords(made)
      return [
        `Refill ${made.refill_id} of ${made.gate_id} is in ${made.file}. It pays`,
        `  ${made.amount} ${made.currency} to ${made.hot_address}, your hot wallet`,
        ...(made.change === null
          ? []
          : [`  ${made.change.amount} ${made.currency} to ${made.change.address}, back to your cold wallet`]),
        `  ${made.network_fee} ${made.currency} to the network`,
        'Compare these with what your device shows, and sign it there. Do not raise its fee there: Sluice would not recognise it.',
        `Then hand in the signed file: npx sluice wallet refill --submit FILE`,
      ].join('\n')
    },
  )
}

function refuseOtherAsset(app: App, gateId: string, asset?: string): void {
  const assets = app.gates.find(gateId)?.assets.map(({ currency }) => currency)
  if (asset === undefined || assets === undefined || assets.includes(asset.toUpperCase())) return
  throw new ServiceError('validation_error', `${gateId} has no ${asset}. It has: ${assets.join(', ')}.`)
}

/** Whether a refill that was prepared comes from an account. */
async function isFromAccount(app: App, id: string): Promise<boolean> {
  const spend = await app.store.spends.find(id)
  return spend !== null && isAccountRefill(spend)
}

async function submit(tools: Tools, command: Command, options: Options): Promise<void> {
  await runOnApp(
    tools,
    command,
    async (app) => {
      const file = await fileAt(options.submit ?? '')
      const take = isAccountRefillFile(file) ? submitAccountRefill : submitRefill
      const { id, gateId, txHash, refusal } = await take(app, file, actorFrom(options))
      return { refill_id: id, gate_id: gateId, tx_hash: txHash, refusal }
    },
    ({ refill_id, gate_id, tx_hash, refusal }) =>
      refusal === null
        ? `Refill ${refill_id} of ${gate_id} was sent as ${tx_hash}. It can be paid out once it is confirmed.`
        : `Refill ${refill_id} of ${gate_id} is stored as ${tx_hash}, but the node refuses it for now: ${refusal}\nThe running service sends it again.`,
  )
}

async function fileAt(path: string): Promise<Uint8Array> {
  const unreadable = (error: unknown) =>
    new ServiceError('validation_error', `${path} cannot be read: ${reasonOf(error)}. Name another file.`)
  const { size } = await stat(path).catch((error: unknown) => {
    throw unreadable(error)
  })
  if (size > maxRefillFileBytes)
    throw new ServiceError(
      'validation_error',
      `${path} has ${size} bytes, and no signed refill has that many. Hand in the file that your wallet has signed.`,
    )
  return readFile(path).catch((error: unknown) => {
    throw unreadable(error)
  })
}

function unwritable(path: string, error: unknown): ServiceError {
  return new ServiceError(
    'validation_error',
    `${path} cannot be written: ${reasonOf(error)}. Name another file.`,
  )
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['EEXIST', 'it exists already'],
  ['ENOENT', 'there is no such file or folder'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user may not'],
])

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return reasons.get(code) ?? shownText(error instanceof Error ? error.message : String(error))
}
