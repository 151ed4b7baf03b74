import { userInfo } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import type { Actor } from '../domain/audit-log.ts'
import { readName } from './arguments.ts'

/** Adds `--as`, the person who acts. */
export function withName(command: Command): Command {
  return command.option(
    '--as <name>',
    'the person who acts (default: your user name on this machine)',
    readPerson,
  )
}

function readPerson(text: string): string {
  if (/[\s:]/.test(text)) throw new InvalidArgumentError('It must not contain spaces or colons.')
  return readName(text)
}

/** That person, as the ledger names them. */
export function nameFrom({ as }: { as?: string }): string {
  return `cli:${as ?? userInfo().username}`
}

/** That person, as the audit log names them. */
export function actorFrom(options: { as?: string }): Actor {
  const actor = nameFrom(options)
  return { actor, name: actor.replace('cli:', ''), ip: null, userAgent: null }
}
