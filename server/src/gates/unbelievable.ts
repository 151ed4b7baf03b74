import { GateOutageError } from './gate.ts'

/** Throws an outage because the node's answer cannot be trusted. */
export function unbelievable(what: string): never {
  throw new GateOutageError(`The node’s answer is not trusted: ${what}.`)
}
