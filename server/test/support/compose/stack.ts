import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { layImage } from '../../../../scripts/release/images.ts'
import type { Kind } from '../../../../scripts/release/trees.ts'
import { endAll, freeNetwork, ip } from '../cluster/machines.ts'
import { debianPostgresBin } from '../database/debian-postgres.ts'
import { dockerStages, root as project } from '../deploy-files.ts'
import { patienceMs } from '../patience.ts'
import { type Container, contained, type Mount } from '../processes/contained.ts'
import type { Finished } from '../processes/sluice-process.ts'
import { type Described, readCompose, type Topology } from './compose-file.ts'
import { debianPrograms, layDebian, type Program } from './debian-images.ts'

/** The compose files' containers, each with its own network, file system and user, from this project and Debian's packages. */
export type Stack = {
  /** Where the published ports are, as seen from here. */
  readonly publicAddress: string
  /** This machine's address, as the published container sees it. */
  readonly ownAddress: string
  /** The copy of deploy/compose that it was started from. */
  readonly folder: string
  readonly names: readonly string[]
  addressOf(name: string, network: string): string
  /** Runs a program of the container in it, beside what runs there. */
  run(name: string, command: readonly string[]): Promise<Finished>
  /** kill -9 of everything in a container. */
  kill(name: string): Promise<void>
  logOf(name: string): Promise<string>
  remove(): Promise<void>
}

type Placed = Described & {
  readonly space: string
  readonly container: Container
  readonly env: Record<string, string>
  readonly start: readonly string[]
}

const exec = promisify(execFile)
const images: Readonly<Record<string, Kind>> = { sluice: 'sluice', 'sluice-signer': 'signer' }
const pollMs = 100

/** Starts what these files describe, in their order. Only root can. `folder` is empty. */
export async function startStack(
  files: readonly string[],
  folder: string,
  variables: Readonly<Record<string, string>>,
  config: object,
): Promise<Stack> {
  await chmod(folder, 0o755)
  const compose = join(folder, 'compose')
  await cp(join(project, 'deploy'), folder, { recursive: true })
  await writeFile(join(compose, 'config.json'), JSON.stringify(config))
  execFileSync('sh', [join(compose, 'prepare.sh')])
  const topology = readCompose(files, variables)
  const network = await layNetwork(topology)
  const running = new Map<string, ChildProcess>()
  const remove = async () => {
    await network.remove()
    for (const child of running.values()) child.kill('SIGKILL')
  }
  try {
    const roots = await layRoots(folder, topology)
    const placed = new Map<string, Placed>()
    for (const each of topology.containers)
      placed.set(each.name, await place(each, { folder, compose, network, root: roots.get(each.image) }))
    const of = (name: string): Placed => {
      const found = placed.get(name)
      if (found === undefined) throw new Error(`There is no container ${name}.`)
      return found
    }
    const run: Stack['run'] = async (name, command) => {
      const child = spawnIn(of(name), command, 'pipe')
      const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)]
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, stdout: stdout(), stderr: stderr() }
    }
    for (const each of inOrder([...placed.values()])) {
      for (const [service, condition] of Object.entries(each.after))
        for (const other of [...placed.values()].filter((one) => one.service === service))
          await until(other, condition)
      const log = openSync(join(folder, `${each.name}.log`), 'a')
      running.set(each.name, spawnIn(each, each.start, log))
    }
    return {
      publicAddress: network.publicAddress,
      ownAddress: network.ownAddress,
      folder: compose,
      names: [...placed.keys()],
      addressOf: network.addressOf,
      run,
      kill: async (name) => endAll(of(name).space),
      logOf: (name) => readFile(join(folder, `${name}.log`), 'utf8'),
      remove,
    }

    async function until(other: Placed, condition: string): Promise<void> {
      const deadline = performance.now() + patienceMs
      const child = running.get(other.name)
      while (performance.now() < deadline) {
        if (condition === 'service_started') return
        const ended = child?.exitCode ?? null
        if (condition === 'service_completed_successfully' && ended === 0) return
        if (condition === 'service_healthy' && (await run(other.name, other.check ?? ['false'])).code === 0)
          return
        if (ended !== null)
          throw new Error(
            `${other.name} ended:\n${await readFile(join(folder, `${other.name}.log`), 'utf8')}`,
          )
        await delay(pollMs)
      }
      throw new Error(`${other.name} is not ${condition} in time`)
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** A container after all that it depends on. */
function inOrder(all: readonly Placed[]): Placed[] {
  const ordered: Placed[] = []
  const add = (each: Placed) => {
    if (ordered.includes(each)) return
    for (const other of all) if (other.service in each.after) add(other)
    ordered.push(each)
  }
  for (const each of all) add(each)
  return ordered
}

function spawnIn(
  { space, container, env }: Placed,
  command: readonly string[],
  output: 'pipe' | number,
): ChildProcess {
  const [first = '', ...rest] = [
    'ip',
    'netns',
    'exec',
    space,
    'prlimit',
    '--core=0:0',
    ...contained(container, command),
  ]
  return spawn(first, rest, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', output, output] })
}

/** The root file systems by image: ours as they are shipped, the others from Debian's packages. */
async function layRoots(folder: string, { containers }: Topology): Promise<ReadonlyMap<string, string>> {
  const roots = new Map<string, string>()
  for (const { image, configs, volumes, tmpfs } of containers) {
    const root = join(folder, 'images', image)
    const kind = images[image]
    if (!roots.has(image)) {
      if (kind === undefined) await layDebian(root)
      else await layImage(kind, root)
    }
    roots.set(image, root)
    // Mount points, which a container runtime makes itself.
    for (const { to } of [...volumes, ...tmpfs]) await mkdir(join(root, to), { recursive: true })
    for (const target of [...configs.map((each) => each.target), '/etc/hosts']) {
      await mkdir(dirname(join(root, target)), { recursive: true })
      await writeFile(join(root, target), '')
    }
  }
  return roots
}

async function place(
  each: Described,
  at: { folder: string; compose: string; network: Network; root: string | undefined },
): Promise<Placed> {
  const { folder, compose, network, root = '' } = at
  const [uid = 0, gid = 0] = each.user.split(':').map(Number)
  const own = join(folder, 'containers', each.name)
  const secrets = join(own, 'secrets')
  await mkdir(secrets, { recursive: true })
  for (const name of each.secrets) await cp(join(compose, 'secrets', name), join(secrets, name))
  await writeFile(join(own, 'hosts'), network.hostsFor(each))
  const mounts: Mount[] = each.tmpfs.map(({ to, options }) => ({ kind: 'tmpfs', options, to }))
  for (const { from, to } of each.volumes) {
    const path = from.startsWith('.') ? join(compose, from) : join(folder, 'volumes', from)
    await mkdir(path, { recursive: true })
    if (!from.startsWith('.')) await chown(path, uid, gid)
    mounts.push({ kind: 'rw', from: path, to })
  }
  mounts.push(
    { kind: 'ro', from: secrets, to: '/run/secrets' },
    { kind: 'ro', from: join(own, 'hosts'), to: '/etc/hosts' },
    ...each.configs.map(({ file, target }) => ({
      kind: 'ro' as const,
      from: join(compose, file),
      to: target,
    })),
  )
  const kind = images[each.image]
  const program = kind === undefined ? await debianProgram(each) : ofDockerfile(kind)
  if (kind === undefined) mounts.push({ kind: 'ro', from: '/usr', to: '/usr' })
  return {
    ...each,
    space: network.spaceOf(each.name),
    container: { root, mounts, user: each.user },
    env: { ...program.env, ...each.environment },
    start: [...program.entrypoint, ...(each.command.length > 0 ? each.command : program.command)],
  }
}

async function debianProgram({ image }: Described): Promise<Program> {
  const program = debianPrograms(await debianPostgresBin())[image]
  if (program === undefined) throw new Error(`No Debian package stands in for ${image}.`)
  return program
}

/** Entry point, command and settings that the Dockerfile gives an image. */
function ofDockerfile(kind: Kind): Program {
  const lines = dockerStages().get(kind)?.lines ?? []
  const of = (word: string) => lines.find(([each]) => each === word)?.[1] ?? ''
  const env = Object.fromEntries(
    of('ENV')
      .split(' ')
      .map((each) => each.split('=')),
  )
  return { entrypoint: JSON.parse(of('ENTRYPOINT')), command: JSON.parse(of('CMD')), env }
}

type Network = Awaited<ReturnType<typeof layNetwork>>

/** A namespace for each container, a bridge for each network, and a cable from here to what is published. */
async function layNetwork({ containers, networks }: Topology) {
  const id = `sl${randomBytes(3).toString('hex')}`
  // The bridges are in a namespace too, so that the file's own addresses collide with nothing on this machine.
  const middle = `${id}-net`
  const spaceOf = (name: string) => `${id}-${name}`
  const subnets = new Map<string, string>()
  const addresses = new Map<string, string>()
  const key = (name: string, network: string) => `${name} ${network}`
  const cable = await freeNetwork()
  await ip('netns', 'add', middle)
  await inSpace(middle, 'sysctl', '-qw', 'net.ipv4.ip_forward=0')
  await ip('-n', middle, 'link', 'set', 'lo', 'up')
  // Where everyone with a way out gets to: an address that belongs to no one (RFC 5737).
  await ip('-n', middle, 'address', 'add', `${outside}/32`, 'dev', 'lo')
  for (const [nth, { name, isInternal, subnet }] of networks.entries()) {
    const prefix = subnet?.replace(/\.0\/24$/, '') ?? `10.77.${nth}`
    subnets.set(name, prefix)
    await ip('-n', middle, 'link', 'add', name, 'type', 'bridge')
    if (!isInternal) await ip('-n', middle, 'address', 'add', `${prefix}.1/24`, 'dev', name)
    await ip('-n', middle, 'link', 'set', name, 'up')
  }
  for (const [nth, each] of containers.entries()) {
    const space = spaceOf(each.name)
    await ip('netns', 'add', space)
    await ip('-n', space, 'link', 'set', 'lo', 'up')
    // As in Docker: every user of a container may open low ports.
    await inSpace(space, 'sysctl', '-qw', 'net.ipv4.ip_unprivileged_port_start=0')
    for (const [name, fixed] of Object.entries(each.networks)) {
      const prefix = subnets.get(name)
      if (prefix === undefined) throw new Error(`${each.service} names a network that there is not: ${name}`)
      const address = fixed ?? `${prefix}.${nth + 10}`
      addresses.set(key(each.name, name), address)
      const end = `c${nth}-${name}`
      await ip('-n', middle, 'link', 'add', end, 'type', 'veth', 'peer', 'name', name, 'netns', space)
      await ip('-n', middle, 'link', 'set', end, 'master', name, 'up')
      await ip('-n', space, 'address', 'add', `${address}/24`, 'dev', name)
      await ip('-n', space, 'link', 'set', name, 'up')
      const isOpen = networks.some((network) => network.name === name && !network.isInternal)
      if (isOpen) await ip('-n', space, 'route', 'add', 'default', 'via', `${prefix}.1`)
    }
    if (!each.isPublished) continue
    await ip('link', 'add', id, 'type', 'veth', 'peer', 'name', 'published', 'netns', space)
    await ip('address', 'add', `${cable}.1/24`, 'dev', id)
    await ip('link', 'set', id, 'up')
    await ip('-n', space, 'address', 'add', `${cable}.2/24`, 'dev', 'published')
    await ip('-n', space, 'link', 'set', 'published', 'up')
  }
  return {
    publicAddress: `${cable}.2`,
    ownAddress: `${cable}.1`,
    spaceOf,
    addressOf(name: string, network: string): string {
      const found = addresses.get(key(name, network))
      if (found === undefined) throw new Error(`${name} is not in ${network}`)
      return found
    },
    /** Who shares a network with a container is known there by the names of its service and of its container. */
    hostsFor(each: Described): string {
      const known = containers.flatMap((other) =>
        Object.keys(other.networks)
          .filter((network) => network in each.networks)
          .map((network) => `${addresses.get(key(other.name, network))} ${other.name} ${other.service}`),
      )
      return ['127.0.0.1 localhost', ...known, ''].join('\n')
    },
    async remove() {
      for (const space of [...containers.map(({ name }) => spaceOf(name)), middle]) {
        await endAll(space)
        await ip('netns', 'delete', space)
      }
    },
  }
}

/** An address outside of all networks. It has no ports: a container with a way out is refused there, and others do not get that far. */
export const outside = '203.0.113.1'

async function inSpace(space: string, ...command: readonly string[]): Promise<void> {
  await exec('ip', ['netns', 'exec', space, ...command])
}

function collected(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.on('data', (chunk) => {
    text += chunk
  })
  return () => text
}
