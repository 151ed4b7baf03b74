import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { programFile, solanaCommand, solanaPrograms } from '../../../../scripts/solana-program.ts'
import { patienceMs } from '../patience.ts'
import { makeTemporaryFolder } from '../processes/temporary-folder.ts'
import { freePort } from '../servers/free-port.ts'
import { askNode } from './anvil.ts'
import { startSolanaFront } from './solana-front.ts'

/** A real Solana node on a chain of its own, without peers. It makes a block every `slotMs`; it never forks nor skips one. */
export type SolanaNode = {
  readonly url: string
  /** The node's answer to a call by the test. Throws the node's message if it refuses. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read only the fields they need
  ask(method: string, ...params: readonly unknown[]): Promise<any>
  /** Kills it and removes its files. Safe to call in any state. */
  close(): Promise<void>
}

const missing = 'skipped: no Solana node for this machine'
const shortestSlotMs = 50
const pollMs = 20
const accountsBytes = 32 * 1024 ** 2
const indexBytes = 10 * 1024 ** 2
// It pauses for each, and never starts again from one.
const snapshotSlots = 1_000_000
const signatureFeeUnits = 5_000

/**
 * Starts it on free ports of the loopback interface, with the token programs, and waits until it answers. A follower that does
 * more than read needs longer slots.
 */
export async function startSolanaNode(slotMs = shortestSlotMs): Promise<SolanaNode> {
  const command = solanaCommand()
  if (command === null) throw new Error('There is no Solana node. Run "npm run provision" first.')
  const folder = await makeTemporaryFolder('sluice-solana-')
  const port = await freePairOfPorts()
  const settings = join(folder.path, 'settings.toml')
  await writeFile(settings, settingsOf(port, await freePort(), join(folder.path, 'ledger'), slotMs))
  const front = await startSolanaFront(port)
  const [file = '', ...args] = command
  const log = join(folder.path, 'log')
  // It ends with the process that runs the test, however that ends.
  const child: ChildProcess = spawn(
    'setpriv',
    ['--pdeathsig', 'KILL', 'sh', '-c', 'exec "$@" >"$0" 2>&1', log, file, ...args, settings],
    { env: { PATH: process.env.PATH, HOME: folder.path, TMPDIR: folder.path }, stdio: 'ignore' },
  )
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  const ask = askNode(front.url)

  async function close(): Promise<void> {
    process.off('exit', onExit)
    await front.close()
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    await folder.remove()
  }

  await once(child, 'spawn')
  const endMs = performance.now() + patienceMs
  // Programs can be called from the slot after the one that they came with.
  while (
    !(await ask('getSlot').then(
      (slot) => slot > 1,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() > endMs) {
      const said = await readFile(log, 'utf8').catch(() => '')
      await close()
      throw new Error(`The Solana node did not start (exit code ${child.exitCode}): ${said.slice(-500)}`)
    }
    await sleep(pollMs)
  }
  return { url: front.url, ask, close }
}

/** Defines tests on a real Solana node. If there is none here, the run says so. */
export function describeOnSolana(define: () => void): void {
  if (solanaCommand() !== null) {
    describe('on a Solana node', define)
    return
  }
  process.stdout.write(`${missing}\n`)
  it.skip(missing)
}

/** A free port whose next one is free too: that is where the node takes subscriptions. */
async function freePairOfPorts(): Promise<number> {
  for (let port = await freePort(); ; ) {
    const next = await freePort()
    if (next === port + 1) return port
    port = next
  }
}

function settingsOf(port: number, streamPort: number, ledger: string, slotMs: number): string {
  const programs = solanaPrograms.map(
    (address) => `[[program]]\nid = "${address}"\npath = "${programFile(address)}"\n`,
  )
  return `[accounts]
lifecycle = "offline"
[accounts.db]
db-size = ${accountsBytes}
block-size = "block256"
index-map-size = ${indexBytes}
max-snapshots = 2
snapshot-frequency = ${snapshotSlots}
[rpc]
addr = "127.0.0.1"
port = ${port}
[geyser_grpc]
addr = "127.0.0.1"
port = ${streamPort}
[metrics]
enabled = false
[validator]
millis_per_slot = ${slotMs}
base_fees = ${signatureFeeUnits}
[ledger]
path = "${ledger}"
reset = true
${programs.join('')}`
}
