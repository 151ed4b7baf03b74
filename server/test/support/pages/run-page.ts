import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A folder for PATH in which `npx sluice demo --json` answers as it does beside a demo merchant, with this key. The services of
 * most tests have none.
 */
export function commandsWithDemo(folder: string, key: string): string {
  const place = join(folder, 'commands')
  mkdirSync(place, { recursive: true })
  const demo = JSON.stringify({ ok: true, merchant_id: 'a', test_key: key, email: 'b', password: 'c' })
  writeFileSync(
    join(place, 'npx'),
    `#!/bin/sh\n[ "$*" = "sluice demo --json" ] || { echo "npx $*" >&2; exit 1; }\necho '${demo}'\n`,
  )
  chmodSync(join(place, 'npx'), 0o755)
  return place
}

/** What a program says and how it ends. */
export async function runProgram(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<{ code: number | null; said: string }> {
  const [file, ...args] = command
  // With a socket for its input, bash reads the configuration of the user first.
  const child = spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}
