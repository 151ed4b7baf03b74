import { readdirSync, readFileSync } from 'node:fs'

/** A process and everything that it has started, directly or not. */
export function processTree(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = Number(/^PPid:\s+(\d+)/m.exec(factsOf(Number(name), 'status'))?.[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const tree = [pid]
  // It grows while it is walked.
  for (const each of tree) tree.push(...(children.get(each) ?? []))
  return tree
}

/** A file of `/proc/PID`; empty if the process has ended meanwhile. */
export function factsOf(pid: number, name: 'status' | 'environ' | 'cmdline' | 'limits'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
