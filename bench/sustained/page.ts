import { readFile, writeFile } from 'node:fs/promises'
import { arch, cpus, totalmem } from 'node:os'
import type { Driven } from './drive.ts'
import type { EventLoopDelay } from './event-loop.ts'

/** One line of the table: what was asked, how fast it was answered, and the raw transactions measured around it. */
export type Line = {
  readonly name: string
  /** The share of the raw rate that we want; null where the line is about waiting only. */
  readonly goal: number | null
  readonly driven: Driven
  readonly loop: EventLoopDelay
  readonly rawPerSecond: number
}

const page = new URL('../../docs/performance.md', import.meta.url)
const from = '<!-- written by npm run bench -- --write -->\n'
const to = '<!-- end -->\n'

/** The table, with the machine and the day it is from. */
export function tableOf(
  lines: readonly Line[],
  { seconds, isQuick, now }: { readonly seconds: number; readonly isQuick: boolean; readonly now: Date },
): string {
  const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))
  const rows = lines.map(({ name, goal, driven, loop, rawPerSecond }) => {
    const { p50Ms, p99Ms, p999Ms } = driven.latency
    const share = (driven.perSecond / rawPerSecond).toFixed(2)
    return [
      name,
      driven.perSecond.toFixed(0),
      rawPerSecond.toFixed(0),
      share,
      goal === null ? '' : goal.toFixed(1),
      ms(p50Ms),
      ms(p99Ms),
      ms(p999Ms),
      `${ms(loop.p99Ms)}, ${ms(loop.worstMs)}`,
    ]
  })
  const head = ['request', 'a second', 'raw', 'share', 'goal', 'p50', 'p99', 'p99.9', 'loop p99, worst']
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  const machine = `${cpus().length} cores (${arch()}), ${(totalmem() / 2 ** 30).toFixed(0)} GB, Node ${process.version}`
  const how = isQuick
    ? 'A quick run: it shows that the benchmark works, not how fast the service is.'
    : `Each line was measured for ${seconds} s, after a warm-up.`
  return [
    `${now.toISOString().slice(0, 10)}, ${machine}. ${how}`,
    '',
    line(head),
    rule,
    ...rows.map(line),
    '',
  ].join('\n')
}

/** The page with another table. Throws if it has no place for one. */
export function withTable(text: string, table: string): string {
  const [begin, end] = [text.indexOf(from), text.indexOf(to)]
  if (begin < 0 || end < begin) throw new Error('docs/performance.md has no place for the table.')
  return `${text.slice(0, begin + from.length)}\n${table}\n${text.slice(end)}`
}

export async function writePage(table: string): Promise<void> {
  await writeFile(page, withTable(await readFile(page, 'utf8'), table))
}
