import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const shell = '/bin/sh'

/**
 * Runs this program again without the right to leave a core dump, which would hold the memory of the signer or the database
 * on disk. Everything that it starts inherits that. Node cannot lower the limit itself, but a shell can; the process stays the
 * same. Without a shell, as in our images, the kernel is told to leave all memory out of a dump.
 */
export function forbidCoreDumps() {
  if (!mayDump()) return
  // Node aborts if execve fails, so there is no trying.
  if (process.execve === undefined || !existsSync(shell)) return emptyDumps()
  const { execPath, execArgv, argv, env } = process
  const command = ['sh', '-c', 'ulimit -c 0; exec "$@"', 'sh', execPath, ...execArgv, ...argv.slice(1)]
  process.execve(shell, command, env)
}

function mayDump() {
  try {
    return !/^Max core file size +0 +0 /m.test(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return false
  }
}

// core(5): no kind of memory. Inherited like the limit.
function emptyDumps() {
  try {
    writeFileSync('/proc/self/coredump_filter', '0')
  } catch {
    // Some sandboxes have no such file; then the limit is the platform's to set.
  }
}
