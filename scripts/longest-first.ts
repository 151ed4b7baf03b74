import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take a quarter of a minute and more: begun last, one of them would run alone while the other core is idle. */
const long = [
  /\/flows\/[a-z]+\/[a-z-]*killed-payouts\.test/,
  /\/flows\/[a-z]+\/(restored|wallet|simulation|payout|coin-node-faults)[a-z-]*\.test/,
  /\/flows\/nodes\/evm-[a-z-]+\.test/,
  /\/flows\/signer\/(hostile-database|signer-alone)\.test/,
  /\/browser\/(dashboard|checkout)-pages?\.test/,
  /\/gates\/(evm|bitcoin)\/(node-gate|node-faults|made-up-chain)[a-z-]*\.test/,
  /\/web\/checkout\/test\/build\.test/,
  /\/(processes|postgres|cli)\/[a-z-]+\.test/,
  /\/[a-z-]*type-check\.test/,
]

/** As vitest orders files, with those first that are known to take long: a clean checkout has no record of the last run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = new Map<string, number>()
    const place = ({ project }: TestSpecification): number => {
      if (!rank.has(project.name)) rank.set(project.name, rank.size)
      return rank.get(project.name) ?? 0
    }
    const isShort = ({ moduleId }: TestSpecification) => Number(!long.some((each) => each.test(moduleId)))
    // Files of a project stay together: a worker serves one project.
    return sorted
      .map((file) => ({ file, place: place(file), isShort: isShort(file) }))
      .sort((a, b) => a.place - b.place || a.isShort - b.isShort)
      .map(({ file }) => file)
  }
}
