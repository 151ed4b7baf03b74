import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeRpc } from '../../src/gates/bitcoin/rpc.ts'
import type { NodeRpc, RpcCall } from '../../src/gates/json-rpc.ts'
import { freePort } from './free-port.ts'
import { patienceMs } from './patience.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** A real litecoind on a chain of its own, without peers. */
export type Litecoind = {
  /** With user and password. */
  readonly url: string
  readonly port: number
  readonly folder: string
  readonly cookieFile: string
  /** The node's answer to a call of the test's own. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what they need
  ask(...call: RpcCall): Promise<any>
  /** Mines to an address that nobody has, a new one each time: after a reorganisation blocks must differ. */
  mine(count: number): Promise<string[]>
  /** One block that holds exactly these transactions, given as hex. */
  mineExactly(transactions: readonly string[]): Promise<string>
  /** Starts it again on the same chain. */
  start(...settings: readonly string[]): Promise<void>
  /** Ends it by its own command: killed, it may come back without its blocks. */
  stop(): Promise<void>
  /** Ends it for good and removes what it has written. Safe to call in any state. */
  close(): Promise<void>
}

const pollMs = 20
const login = { user: 'sluice', password: 'a password: with/signs' }
// As a node's own script rpcauth.py makes it; so that there is a cookie file besides.
const salt = '5a17'
const proof = createHmac('sha256', salt).update(login.password).digest('hex')

/** Starts it on a free port of the loopback interface, in regtest unless told otherwise, and waits until it answers. */
export async function startLitecoind(...settings: readonly string[]): Promise<Litecoind> {
  const folder = await makeTemporaryFolder('sluice-litecoind-')
  const port = await freePort()
  const cookieFile = join(folder.path, 'cookie')
  const url = `http://${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@127.0.0.1:${port}`
  const rpc: NodeRpc = nodeRpc({ url, timeoutMs: patienceMs })
  const chain = settings.find((setting) => setting.startsWith('-chain=')) ?? '-chain=regtest'
  let child: ChildProcess | null = null
  let mined = 0

  // A test run that ends early must not leave it behind.
  const onExit = () => child?.kill('SIGKILL')
  process.once('exit', onExit)

  async function start(...more: readonly string[]): Promise<void> {
    const given = [
      chain,
      '-server',
      '-listen=0',
      '-dnsseed=0',
      '-connect=0',
      '-printtoconsole=0',
      '-fallbackfee=0.0001',
      // Litecoin's nodes replace nothing unless they are told to; and it ends only when kept connections have.
      '-mempoolreplacement=1',
      '-rpcservertimeout=1',
      '-par=1',
      '-dbcache=8',
      `-datadir=${folder.path}`,
      `-rpcport=${port}`,
      `-rpcauth=${login.user}:${salt}$${proof}`,
      `-rpccookiefile=${cookieFile}`,
      ...settings,
      ...more,
    ]
    // It ends with whoever runs the test, however that ends; and what Debian's script writes at home stays in the folder.
    child = spawn('setpriv', ['--pdeathsig', 'TERM', 'litecoind', ...given], {
      env: { PATH: process.env.PATH, HOME: folder.path },
      stdio: 'ignore',
    })
    const started = child
    await once(started, 'spawn')
    const endMs = performance.now() + patienceMs
    while (!(await rpc.call('getblockcount').then(isNumber, () => false))) {
      if (started.exitCode !== null || performance.now() > endMs)
        throw new Error(`litecoind did not start (exit code ${started.exitCode}).`)
      await sleep(pollMs)
    }
    await untilLoaded(rpc, endMs)
  }

  async function stop(): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    await rpc.call('stop')
    await ended
    child = null
  }

  /** Where nobody can spend from: a script that is just a number. */
  async function nowhere(): Promise<string> {
    const script = (++mined).toString(16).padStart(64, '0')
    return (await rpc.call('decodescript', `0020${script}`).then(addressIn)) as string
  }

  await start().catch(async (error: unknown) => {
    rpc.close()
    await folder.remove()
    throw error
  })
  return {
    url,
    port,
    folder: folder.path,
    cookieFile,
    start,
    stop,
    ask: (...call) => rpc.call(...call),
    mine: async (count) => (await rpc.call('generatetoaddress', count, await nowhere())) as string[],
    async mineExactly(transactions) {
      const made = (await rpc.call('generateblock', await nowhere(), transactions)) as { hash: string }
      return made.hash
    },
    async close() {
      await stop().catch(() => child?.kill('SIGKILL'))
      rpc.close()
      process.off('exit', onExit)
      await folder.remove()
    },
  }
}

// What waited when it was stopped is taken up again after it has begun to answer.
async function untilLoaded(rpc: NodeRpc, endMs: number): Promise<void> {
  const isLoaded = async () => ((await rpc.call('getmempoolinfo')) as { loaded: boolean }).loaded
  while (!(await isLoaded())) {
    if (performance.now() > endMs) throw new Error('litecoind does not load its mempool.')
    await sleep(pollMs)
  }
}

function addressIn(script: unknown): unknown {
  const { address, addresses } = script as { address?: string; addresses?: readonly string[] }
  return address ?? addresses?.[0]
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}
