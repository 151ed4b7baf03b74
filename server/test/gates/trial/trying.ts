import type { TrialCheck, TrialFinding, TrialReport } from '../../../src/domain/gate-trial.ts'
import { tryGate } from '../../../src/wire/try-gate.ts'

/** A report, and its findings by the name of their check. */
export type Tried = {
  readonly report: TrialReport
  of(check: TrialCheck, server?: number): TrialFinding
  /** The names of the checks in this state. */
  names(state: TrialFinding['state'], server?: number): string[]
}

/** What the command does. */
export async function trying(
  network: string,
  chain: string | null,
  urls: readonly string[],
  {
    blocks = 6,
    cookieFile = null,
    configured = null,
  }: {
    blocks?: number
    cookieFile?: string | null
    configured?: Parameters<typeof tryGate>[1]
  } = {},
): Promise<Tried> {
  const report = await tryGate({ network, urls, chain, cookieFile, blocks }, configured)
  const findings = (server: number) => report.servers[server - 1]?.findings ?? []
  return {
    report,
    of(check, server = 1) {
      const found = findings(server).find((each) => each.check === check)
      if (found === undefined) throw new Error(`There is no check ${check} of server ${server}.`)
      return found
    },
    names: (state, server = 1) =>
      findings(server)
        .filter((each) => each.state === state)
        .map(({ check }) => check),
  }
}
