import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { anvilProgram } from '../../../../scripts/anvil-program.ts'
import { patienceMs } from '../patience.ts'
import { freePort } from '../servers/free-port.ts'

/** A real Ethereum node on a chain of its own, which mines only when it is told to. */
export type Anvil = {
  readonly url: string
  readonly port: number
  readonly chainId: number
  /** The node's answer to a call by the test. Throws the node's message if it refuses. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read only the fields they need
  ask(method: string, ...params: readonly unknown[]): Promise<any>
  /** Its answers to several calls, in one request. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read only the fields they need
  askMany(calls: readonly (readonly [method: string, ...params: unknown[]])[]): Promise<any[]>
  /** Mines this many blocks, the first with the pending transactions. */
  mine(count?: number): Promise<void>
  /** Ends it like kill -9: its chain is lost. Safe to call in any state. */
  close(): Promise<void>
  /** The same for its user, but the process goes on with a new chain, for the next who wants one with these settings. */
  giveBack(): Promise<void>
}

const pollMs = 20
// Available as a binary for x64 only; elsewhere it runs emulated.
const command: readonly string[] =
  process.arch === 'x64'
    ? [anvilProgram]
    : ['qemu-x86_64-static', '-L', '/usr/x86_64-linux-gnu', anvilProgram]

/** The key of an account that every anvil funds: the first of its well-known mnemonic. */
export const anvilKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

/** Calls a node, one request after the other. Throws the node's message if it refuses. */
export function askNode(url: string): Anvil['ask'] {
  return async (method, ...params) => (await askMany(url, [[method, ...params]]))[0]
}

async function askMany(
  url: string,
  calls: readonly (readonly [method: string, ...params: unknown[]])[],
): Promise<unknown[]> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))),
  })
  const answers = (await answer.json()) as { id: number; result?: unknown; error?: { message: string } }[]
  const byId = new Map(answers.map((each) => [each.id, each]))
  return calls.map(([method], id) => {
    const { result, error } = byId.get(id) ?? {}
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  })
}

/** Starts it on a free port of the loopback interface and waits until it answers. */
export async function startAnvil(...settings: readonly string[]): Promise<Anvil> {
  return startAnvilOn(31_337, ...settings)
}

// Where it runs emulated, a start and the first calls take seconds: each part of the program is translated when it first runs.
const spare = new Map<string, Anvil>()
/** Calls whose effects end with the chain, or are undone by `renew`. After any other, a process is not used again. */
const withoutTraces =
  /^(eth|net|web3|txpool)_|^evm_(snapshot|revert)$|^anvil_(mine|reorg|rollback|set(Code|StorageAt|Nonce|Coinbase|NextBlockBaseFeePerGas)|drop(All)?Transactions?)$/

/** Starts it with this chain id (EIP-155), or takes one that was given back. */
export async function startAnvilOn(chainId: number, ...settings: readonly string[]): Promise<Anvil> {
  const kind = JSON.stringify([chainId, ...settings])
  const kept = spare.get(kind)
  spare.delete(kind)
  const isAlive = kept !== undefined && (await kept.ask('eth_chainId').then(Boolean, () => false))
  return isAlive ? kept : startAnew(kind, chainId, settings)
}

async function startAnew(kind: string, chainId: number, settings: readonly string[]): Promise<Anvil> {
  if (!existsSync(anvilProgram)) throw new Error('anvil is missing. Run "npm run provision" first.')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const given = [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--chain-id',
    String(chainId),
    '--no-mining',
    '--silent',
    '--no-cors',
    ...(settings.includes('--accounts') ? [] : ['--accounts', '3']),
    ...settings,
  ]
  // It ends with the process that runs the test, however that ends.
  const child: ChildProcess = spawn('setpriv', ['--pdeathsig', 'KILL', ...command, ...given], {
    stdio: 'ignore',
  })
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)

  const asked = new Set<string>()
  const askAll: Anvil['askMany'] = (calls) => {
    for (const [method] of calls) asked.add(method)
    return askMany(url, calls)
  }
  const ask: Anvil['ask'] = async (method, ...params) => (await askAll([[method, ...params]]))[0]

  async function close(): Promise<void> {
    process.off('exit', onExit)
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  await once(child, 'spawn')
  const endMs = performance.now() + patienceMs
  while (!(await ask('eth_chainId').then(Boolean, () => false))) {
    if (child.exitCode !== null || performance.now() > endMs) {
      await close()
      throw new Error(`anvil did not start (exit code ${child.exitCode}).`)
    }
    await sleep(pollMs)
  }
  const firstFee = (await askMany(url, [['eth_getBlockByNumber', '0x0', false]])) as {
    baseFeePerGas?: string
  }[]

  /** Begins a new chain, at the present time. */
  async function renew(): Promise<void> {
    await askMany(url, [['anvil_reset']])
    await askMany(url, [['evm_setTime', Math.floor(Date.now() / 1000)]])
    await askMany(url, [['anvil_setCoinbase', `0x${'0'.repeat(40)}`]])
    const fee = firstFee[0]?.baseFeePerGas
    if (fee !== undefined) await askMany(url, [['anvil_setNextBlockBaseFeePerGas', fee]])
    const [height, pool] = await askMany(url, [['eth_blockNumber'], ['txpool_status']])
    if (JSON.stringify([height, pool]) !== JSON.stringify(['0x0', { pending: '0x0', queued: '0x0' }]))
      throw new Error('anvil did not begin a new chain.')
  }

  const anvil: Anvil = {
    url,
    port,
    chainId,
    ask,
    close,
    askMany: askAll,
    async mine(count = 1) {
      await ask('anvil_mine', `0x${count.toString(16)}`)
    },
    async giveBack() {
      const isClean = [...asked].every((method) => withoutTraces.test(method))
      if (
        !isClean ||
        spare.has(kind) ||
        !(await renew().then(
          () => true,
          () => false,
        ))
      )
        return close()
      asked.clear()
      spare.set(kind, anvil)
    },
  }
  return anvil
}
