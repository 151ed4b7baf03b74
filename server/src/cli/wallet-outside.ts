import { type Command, InvalidArgumentError } from 'commander'
import { acceptOutside } from '../app/spends/hot-wallet/accept-outside.ts'
import { findOutsideUse, type OutsideUse } from '../app/spends/hot-wallet/find-outside-use.ts'
import { ServiceError } from '../domain/errors.ts'
import { nameFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import type { Tools } from './tools.ts'

type Options = { as?: string; accept?: bigint; took: ReadonlyMap<string, string> }

/** Recovers after a hot wallet's key was used outside Sluice. */
export function addOutsideCommand(wallet: Command, tools: Tools): void {
  withName(withJson(wallet.command('outside')))
    .description('show whether a hot wallet’s key was used outside Sluice, and continue if that was you')
    .argument('<gate>', 'the gate’s id, such as ethereum-live')
    .option('--accept <nonce>', 'continue with this nonce, which must be the node’s', readNumber)
    .option(
      '--took <currency=amount>',
      'what was sent, including network fees; may be repeated',
      readTaken,
      new Map<string, string>(),
    )
    .addHelpText(
      'after',
      '\nIf you did not send it yourself, someone else has your keys: do not accept it. Stop the signer, and move the funds with the words.' +
        '\nIf the database was restored from a backup, run wallet reconcile instead: Sluice itself sent it and has lost the record.' +
        '\nThe amount sent is booked from the hot wallet’s free balance and from your float; the audit counts it from then on.',
    )
    .action((id: string, options: Options, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const gate = app.gates.find(id)
          if (gate === null)
            throw new ServiceError('not_found', `There is no gate ${id}. See: npx sluice gate list`)
          if (options.accept === undefined) return shown(id, await findOutsideUse(app, gate), false)
          const statement = { nextNonce: options.accept, took: options.took, by: nameFrom(options) }
          return shown(id, await acceptOutside(app, gate, statement), true)
        },
        inWords,
      ),
    )
}

function readNumber(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return BigInt(text)
}

function readTaken(text: string, before: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [, currency, amount] = /^([A-Z0-9]{2,10})=([0-9.]+)$/.exec(text) ?? []
  if (currency === undefined || amount === undefined)
    throw new InvalidArgumentError('It must be like ETH=0.25.')
  if (before.has(currency)) throw new InvalidArgumentError(`${currency} is given twice.`)
  return new Map([...before, [currency, amount]])
}

function shown(gateId: string, { address, ours, nodes }: OutsideUse, accepted: boolean) {
  return {
    gate_id: gateId,
    hot_wallet: address,
    next_nonce: ours.toString(),
    next_nonce_of_node: nodes.toString(),
    used_outside: nodes > ours,
    accepted,
  }
}

function inWords(each: ReturnType<typeof shown>): string {
  const { gate_id, hot_wallet, next_nonce, next_nonce_of_node } = each
  if (each.accepted)
    return `${gate_id} continues with nonce ${next_nonce}. The amount sent is booked from your float.`
  return each.used_outside
    ? `The hot wallet ${hot_wallet} of ${gate_id} WAS USED OUTSIDE SLUICE: the node’s next nonce is ${next_nonce_of_node}, ours is ${next_nonce}.`
    : `The hot wallet ${hot_wallet} of ${gate_id} was not used outside Sluice: its next nonce is ${next_nonce}.`
}
