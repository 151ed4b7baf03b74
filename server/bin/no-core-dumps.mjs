import { readFileSync } from 'node:fs'

/**
 * Runs this program again without the right to leave a core dump, which would hold the memory of the signer or the database
 * on disk. Everything that it starts inherits that. Node cannot lower the limit itself, but a shell can; the process stays the
 * same.
 */
export function forbidCoreDumps() {
  if (!mayDump() || process.execve === undefined) return
  const { execPath, execArgv, argv, env } = process
  const command = ['sh', '-c', 'ulimit -c 0; exec "$@"', 'sh', execPath, ...execArgv, ...argv.slice(1)]
  try {
    process.execve('/bin/sh', command, env)
  } catch {
    // Without a shell there the limit stays as it is.
  }
}

function mayDump() {
  try {
    return !/^Max core file size +0 +0 /m.test(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return false
  }
}
