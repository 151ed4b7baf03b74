import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { openSync } from 'node:fs'
import { chown, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { patienceMs } from '../patience.ts'

/** A machine of its own, as far as its network is concerned: a network namespace behind a cable to the others. */
export type Machine = {
  readonly name: string
  readonly address: string
  /** Owned by the user that runs its programs. */
  readonly folder: string
  /** Starts a program there. Its output goes to a log in the machine's folder. */
  run(program: string, args: readonly string[]): ChildProcess
  /** Pulls its cable: everything on it goes on, and reaches no other machine. */
  cutOff(): Promise<void>
  reconnect(): Promise<void>
}

export type Machines = {
  readonly machines: readonly Machine[]
  /** Ends everything that runs on them. */
  remove(): Promise<void>
}

const run = promisify(execFile)
const user = 'postgres'

/** Whether this process may make machines. */
export const canMakeMachines = process.getuid?.() === 0

/** Makes machines that reach each other, and are reached from this one, by an address each. Only root can. */
export async function makeMachines(names: readonly string[], folder: string): Promise<Machines> {
  const id = `sl${randomBytes(3).toString('hex')}`
  const network = await freeNetwork()
  const { uid, gid } = await idsOf(user)
  await ip('link', 'add', id, 'type', 'bridge')
  await ip('address', 'add', `${network}.254/24`, 'dev', id)
  await ip('link', 'set', id, 'up')

  async function make(name: string, nth: number): Promise<Machine> {
    const space = `${id}-${name}`
    const cable = `${id}-${nth}`
    const address = `${network}.${nth + 1}`
    await ip('netns', 'add', space)
    await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
    await ip('link', 'set', cable, 'master', id, 'up')
    await ip('-n', space, 'link', 'set', 'lo', 'up')
    await ip('-n', space, 'address', 'add', `${address}/24`, 'dev', 'eth0')
    await ip('-n', space, 'link', 'set', 'eth0', 'up')
    const home = join(folder, name)
    await mkdir(home, { mode: 0o700 })
    await chown(home, uid, gid)
    return {
      name,
      address,
      folder: home,
      run(program, args) {
        const log = openSync(join(home, `${program}.log`), 'a')
        const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--pdeathsig=KILL']
        return spawn('ip', ['netns', 'exec', space, ...asUser, '--', program, ...args], {
          cwd: home,
          env: { PATH: process.env.PATH, HOME: home },
          stdio: ['ignore', log, log],
        })
      },
      cutOff: () => ip('link', 'set', cable, 'down'),
      reconnect: () => ip('link', 'set', cable, 'up'),
    }
  }

  const machines = await Promise.all(names.map(make))
  return {
    machines,
    async remove() {
      const spaces = machines.map(({ name }) => `${id}-${name}`)
      await Promise.all(spaces.map(endAll))
      for (const space of spaces) await ip('netns', 'delete', space)
      await ip('link', 'delete', id)
    },
  }
}

/** Ends every process of a namespace, also those that its first programs have started. */
export async function endAll(space: string): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (performance.now() < deadline) {
    const { stdout } = await run('ip', ['netns', 'pids', space])
    const pids = stdout.split('\n').filter((line) => line !== '')
    if (pids.length === 0) return
    for (const pid of pids)
      try {
        process.kill(Number(pid), 'SIGKILL')
      } catch {
        // It has ended meanwhile.
      }
  }
  throw new Error(`processes of ${space} do not end`)
}

/** The first three numbers of a network that no interface of this machine is in. */
export async function freeNetwork(): Promise<string> {
  const { stdout } = await run('ip', ['-oneline', '-4', 'address'])
  for (;;) {
    const network = `10.${randomInt(200, 250)}.${randomInt(1, 250)}`
    if (!stdout.includes(` ${network}.`)) return network
  }
}

async function idsOf(name: string): Promise<{ uid: number; gid: number }> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((each) => each.startsWith(`${name}:`))
  if (line === undefined) throw new Error(`There is no user ${name}. Run scripts/provision as root.`)
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** Runs `ip`. */
export async function ip(...args: readonly string[]): Promise<void> {
  await run('ip', args)
}
