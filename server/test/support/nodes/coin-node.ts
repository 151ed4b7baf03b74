import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { bitcoinCommand } from '../../../../scripts/bitcoin-program.ts'
import { bitcoin } from '../../../src/domain/networks/bitcoin.ts'
import { litecoin } from '../../../src/domain/networks/litecoin.ts'
import { nodeRpc } from '../../../src/gates/bitcoin/rpc.ts'
import type { NodeRpc, RpcCall } from '../../../src/gates/json-rpc.ts'
import { patienceMs } from '../patience.ts'
import { makeTemporaryFolder } from '../processes/temporary-folder.ts'
import { freePort } from '../servers/free-port.ts'

export type Coin = 'bitcoin' | 'litecoin'

/** For a node that is stopped while a gate keeps connections to it: it waits until they are idle for so long. */
export const stopsSoon = '-rpcservertimeout=1'

export const coinNetworks = { bitcoin, litecoin } as const

/** A real node on a chain of its own, without peers. */
export type CoinNode = {
  readonly coin: Coin
  /** With user and password. */
  readonly url: string
  readonly port: number
  readonly folder: string
  readonly cookieFile: string
  /** The node's answer to a call by the test. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read only the fields they need
  ask(...call: RpcCall): Promise<any>
  /** The output of its command-line client. */
  cli(...args: readonly string[]): Promise<string>
  /** Mines to a new unspendable address each time: after a reorganisation, blocks must differ. */
  mine(count: number): Promise<string[]>
  /** Mines one block with exactly these transactions, given as hex. */
  mineExactly(transactions: readonly string[]): Promise<string>
  /** Starts it again on the same chain. */
  start(...settings: readonly string[]): Promise<void>
  /** Stops it with its own command: if killed, it may come back without its blocks. */
  stop(): Promise<void>
  /** Kills it and removes its files. Safe to call in any state. */
  close(): Promise<void>
}

type Kind = {
  readonly currency: string
  readonly node: readonly string[] | null
  readonly cli: readonly string[] | null
  readonly settings: readonly string[]
}

/** Both coins, with the node that is available for each here. */
export const coins: Readonly<Record<Coin, Kind>> = {
  bitcoin: {
    currency: 'BTC',
    node: bitcoinCommand('bitcoind'),
    cli: bitcoinCommand('bitcoin-cli'),
    // The default of Bitcoin Core, where Knots behaves differently.
    settings: ['-corepolicy=1'],
  },
  litecoin: {
    currency: 'LTC',
    node: ['litecoind'],
    cli: ['litecoin-cli'],
    // Its nodes replace no transaction unless configured to.
    settings: ['-mempoolreplacement=1'],
  },
}

const run = promisify(execFile)
const pollMs = 20
const login = { user: 'sluice', password: 'a password: with/signs' }
// As a node's own script rpcauth.py generates it, so that there is a cookie file as well.
const salt = '5a17'
const proof = createHmac('sha256', salt).update(login.password).digest('hex')

/** Starts it on a free port of the loopback interface, in regtest unless stated otherwise, and waits until it answers. */
export async function startCoinNode(coin: Coin, ...settings: readonly string[]): Promise<CoinNode> {
  const kind = coins[coin]
  if (kind.node === null || kind.cli === null)
    throw new Error(`There is no node of ${coin}. Run "npm run provision" first.`)
  const [command, client] = [kind.node, kind.cli]
  const folder = await makeTemporaryFolder(`sluice-${coin}-`)
  const port = await freePort()
  const cookieFile = join(folder.path, 'cookie')
  const url = `http://${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@127.0.0.1:${port}`
  const connect = (): NodeRpc => nodeRpc({ url, timeoutMs: patienceMs })
  let rpc = connect()
  const chain = settings.find((setting) => setting.startsWith('-chain=')) ?? '-chain=regtest'
  let child: ChildProcess | null = null
  let mined = 0

  // A test run that ends early must not leave it running.
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
      // It stops only after its kept connections have ended. A shorter time also ends new ones of a client that is starved.
      '-rpcservertimeout=10',
      '-par=1',
      '-dbcache=8',
      `-datadir=${folder.path}`,
      `-rpcport=${port}`,
      `-rpcauth=${login.user}:${salt}$${proof}`,
      `-rpccookiefile=${cookieFile}`,
      ...kind.settings,
      ...settings,
      ...more,
    ]
    // It ends with the process that runs the test, however that ends; and Debian's script writes its files into the folder.
    child = spawn('setpriv', ['--pdeathsig', 'TERM', ...command, ...given], {
      env: { PATH: process.env.PATH, HOME: folder.path },
      stdio: 'ignore',
    })
    const started = child
    await once(started, 'spawn')
    const endMs = performance.now() + patienceMs
    while (!(await rpc.call('getblockcount').then(isNumber, () => false))) {
      if (started.exitCode !== null || performance.now() > endMs)
        throw new Error(`The node of ${coin} did not start (exit code ${started.exitCode}).`)
      await sleep(pollMs)
    }
    await untilLoaded(rpc, endMs)
  }

  function isRunning(): boolean {
    return child !== null && child.exitCode === null && child.signalCode === null
  }

  async function stop(): Promise<void> {
    if (child === null || !isRunning()) return
    const ended = once(child, 'exit')
    await rpc.call('stop')
    rpc.close()
    await ended
    child = null
    rpc = connect()
  }

  async function kill(): Promise<void> {
    if (child === null || !isRunning()) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** An unspendable address: its script is just a number. */
  async function nowhere(): Promise<string> {
    const script = (++mined).toString(16).padStart(64, '0')
    const address = addressIn(await rpc.call('decodescript', `0020${script}`))
    if (address === undefined) throw new Error('The node returns no address.')
    return address
  }

  async function close(): Promise<void> {
    await kill()
    rpc.close()
    process.off('exit', onExit)
    await folder.remove()
  }

  await start().catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    coin,
    url,
    port,
    folder: folder.path,
    cookieFile,
    start,
    stop,
    ask: (...call) => rpc.call(...call),
    async cli(...args) {
      const [file = '', ...first] = client
      const place = [chain, `-datadir=${folder.path}`, `-rpcport=${port}`]
      const { user, password } = login
      const given = [...first, ...place, `-rpcuser=${user}`, `-rpcpassword=${password}`, ...args]
      return (await run(file, given)).stdout.trim()
    },
    mine: async (count) => (await rpc.call('generatetoaddress', count, await nowhere())) as string[],
    async mineExactly(transactions) {
      const made = (await rpc.call('generateblock', await nowhere(), transactions)) as { hash: string }
      return made.hash
    },
    close,
  }
}

// The mempool of the last run is loaded after it has begun to answer.
async function untilLoaded(rpc: NodeRpc, endMs: number): Promise<void> {
  const isLoaded = async () => ((await rpc.call('getmempoolinfo')) as { loaded: boolean }).loaded
  while (!(await isLoaded())) {
    if (performance.now() > endMs) throw new Error('The node does not load its mempool.')
    await sleep(pollMs)
  }
}

/** The address of a script as a node shows it: nodes before Bitcoin Core 22 show a list. */
export function addressIn(script: unknown): string | undefined {
  const { address, addresses } = script as { address?: string; addresses?: readonly string[] }
  return address ?? addresses?.[0]
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}
