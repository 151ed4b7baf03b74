import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { grantPrivileges } from '../../../src/store/grant-privileges.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { onDatabase, query, runSql } from '../database/database.ts'
import { debianPostgresBin } from '../database/debian-postgres.ts'
import { makeTemporaryFolder } from '../processes/temporary-folder.ts'
import { eventually } from '../servers/hook-receiver.ts'
import { type Machine, makeMachines } from './machines.ts'
import { startProxy } from './proxy.ts'

/** Three PostgreSQL servers under Patroni and etcd, each on a machine of its own, behind HAProxy. */
export type PostgresCluster = {
  /** For the role that a service runs with, at the proxy. */
  readonly url: string
  /** For the role that owns everything, at the proxy. */
  readonly ownerUrl: string
  /** The server that accepts writes. */
  primary(): Promise<Server>
  /** The server whose etcd leads the others. */
  etcdLeader(): Promise<Server>
  /** Waits until one server leads, another confirms its commits, and all run. */
  whole(): Promise<void>
  stop(): Promise<void>
}

export type Server = {
  readonly machine: Machine
  /** kill -9 of PostgreSQL. */
  killPostgres(): Promise<void>
  killEtcd(): Promise<void>
  startEtcd(): void
}

const ports = { postgres: 5432, patroni: 8008, etcd: 2379, etcdPeer: 2380 }
const names = ['one', 'two', 'three']

/** Starts the servers and makes a migrated database. Every commit waits until a second server has it on disk. */
export async function startPostgresCluster(): Promise<PostgresCluster> {
  const folder = await makeTemporaryFolder()
  const { machines, remove } = await makeMachines(names, folder.path)
  const passwords = { superuser: newPassword(), replication: newPassword(), rewind: newPassword() }
  const bin = await debianPostgresBin()
  const servers = machines.map((machine) => serverOn(machine, machines))
  for (const server of servers) server.startEtcd()
  // Patroni 3.0 ends for good if it meets an etcd whose cluster has not agreed on a version yet.
  await eventually(async () => {
    for (const { machine } of servers) {
      const version = await ask<{ etcdcluster: string }>(`http://${machine.address}:${ports.etcd}/version`)
      expect(version?.etcdcluster).toMatch(/^\d/)
    }
  })
  for (const { machine } of servers) {
    const settings = join(machine.folder, 'patroni.json')
    await writeFile(settings, JSON.stringify(patroniSettings(machine, machines, bin, passwords)))
    machine.run('patroni', [settings])
  }
  const proxy = await startProxy(
    folder.path,
    machines.map(({ name, address }) => ({ name, address, port: ports.postgres, checkPort: ports.patroni })),
  )

  /** As the first server that answers sees them. */
  async function members(): Promise<Member[]> {
    for (const { machine } of servers) {
      const answer = await ask<{ members: Member[] }>(`http://${machine.address}:${ports.patroni}/cluster`)
      if (answer !== null) return answer.members
    }
    return []
  }

  const superuserUrl = `postgres://postgres:${passwords.superuser}@127.0.0.1:${proxy.port}/postgres`
  const cluster = {
    async primary() {
      // Each is asked about itself: what one says about the others may be old.
      for (;;)
        for (const server of servers)
          if (await isOk(`http://${server.machine.address}:${ports.patroni}/primary`)) return server
    },
    async etcdLeader() {
      for (;;)
        for (const server of servers) {
          const at = `http://${server.machine.address}:${ports.etcd}/v3/maintenance/status`
          const status = await ask<EtcdStatus>(at, '{}')
          if (status !== null && status.leader === status.header.member_id) return server
        }
    },
    async whole() {
      await eventually(async () => {
        const roles = (await members()).map(({ role, state }) => (state === 'running' ? role : state)).sort()
        expect(roles).toEqual(['leader', 'replica', 'sync_standby'])
        expect((await query(superuserUrl, streaming)).map(({ sync }) => sync)).toEqual(['async', 'sync'])
      }).catch(async (error: unknown) => {
        throw new Error(`The cluster is not whole: ${error}\n${await lastWords(machines)}`, { cause: error })
      })
    },
    async stop() {
      await proxy.stop()
      await remove()
      await folder.remove()
    },
  }

  try {
    await cluster.whole()
    const [owner, service] = [newPassword(), newPassword()]
    await runSql(
      superuserUrl,
      `create role sluice login password '${owner}'`,
      `create role sluice_service login password '${service}'`,
      'create database sluice owner sluice',
    )
    const urlOf = (role: string, password: string) =>
      onDatabase(`postgres://${role}:${password}@127.0.0.1:${proxy.port}/postgres`, 'sluice')
    const ownerUrl = urlOf('sluice', owner)
    await migrate(ownerUrl)
    await grantPrivileges(ownerUrl, 'sluice_service')
    return { ...cluster, url: urlOf('sluice_service', service), ownerUrl }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

type Member = { readonly name: string; readonly role: string; readonly state: string }
type EtcdStatus = { readonly leader: string; readonly header: { readonly member_id: string } }

/** The standbys that have caught up with the server that is asked. A member that runs may not have joined yet. */
const streaming = `
  select sync_state as sync from pg_stat_replication where state = 'streaming' and replay_lsn >= pg_current_wal_lsn() - 1000000
  order by 1`

function serverOn(machine: Machine, all: readonly Machine[]): Server {
  let etcd: ChildProcess | null = null
  const peerUrl = ({ address }: Machine) => `http://${address}:${ports.etcdPeer}`
  const clientUrl = `http://${machine.address}:${ports.etcd}`
  return {
    machine,
    async killPostgres() {
      const pidFile = await readFile(join(machine.folder, 'data', 'postmaster.pid'), 'utf8')
      process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL')
    },
    async killEtcd() {
      if (etcd === null) return
      etcd.kill('SIGKILL')
      await once(etcd, 'exit')
    },
    startEtcd() {
      etcd = machine.run('etcd', [
        `--name=${machine.name}`,
        `--data-dir=${join(machine.folder, 'etcd')}`,
        `--listen-client-urls=${clientUrl}`,
        `--advertise-client-urls=${clientUrl}`,
        `--listen-peer-urls=${peerUrl(machine)}`,
        `--initial-advertise-peer-urls=${peerUrl(machine)}`,
        `--initial-cluster=${all.map((each) => `${each.name}=${peerUrl(each)}`).join()}`,
        '--initial-cluster-state=new',
        // One that was cut off would otherwise call elections when it is back, and leave the others without a leader meanwhile.
        '--pre-vote',
      ])
    },
  }
}

function patroniSettings(
  machine: Machine,
  all: readonly Machine[],
  bin: string,
  passwords: Readonly<Record<'superuser' | 'replication' | 'rewind', string>>,
): object {
  const at = (port: number) => `${machine.address}:${port}`
  const network = `${machine.address.replace(/\d+$/, '0')}/24`
  return {
    scope: 'sluice',
    name: machine.name,
    restapi: { listen: at(ports.patroni), connect_address: at(ports.patroni) },
    // Never the etcd of the same machine. Cut off together with it, Patroni 3.0 would go on reading from it that it leads, and
    // take the leadership back from its successor when the network returns.
    etcd3: {
      hosts: all.filter((each) => each !== machine).map(({ address }) => `${address}:${ports.etcd}`),
      use_proxies: true,
    },
    bootstrap: {
      // The shortest times that Patroni allows: a leader that is cut off is replaced after `ttl`.
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        // Rather no commit than one that only the leader has.
        synchronous_mode_strict: true,
        // Fails over at once when PostgreSQL dies, instead of starting it again.
        primary_start_timeout: 0,
        // A leader that lost etcd would wait for standbys that it cannot reach before it stops.
        primary_stop_timeout: 5,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, shared_buffers: '64MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: at(ports.postgres),
      connect_address: at(ports.postgres),
      data_dir: join(machine.folder, 'data'),
      bin_dir: bin,
      pgpass: join(machine.folder, 'pgpass'),
      parameters: { unix_socket_directories: machine.folder },
      authentication: {
        superuser: { username: 'postgres', password: passwords.superuser },
        replication: { username: 'replicator', password: passwords.replication },
        rewind: { username: 'rewinder', password: passwords.rewind },
      },
      pg_hba: [
        'local all all trust',
        `host replication replicator ${network} scram-sha-256`,
        `host all all ${network} scram-sha-256`,
      ],
    },
  }
}

/** The ends of the logs of all machines, which are gone when the test has ended. */
async function lastWords(machines: readonly Machine[]): Promise<string> {
  const logs = machines.flatMap(({ name, folder }) =>
    ['etcd', 'patroni'].map(async (program) => {
      const text = await readFile(join(folder, `${program}.log`), 'utf8').catch(String)
      return `── ${program} on ${name}\n${text.trimEnd().split('\n').slice(-12).join('\n')}`
    }),
  )
  return (await Promise.all(logs)).join('\n')
}

const askMs = 1_000

async function isOk(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(askMs) })).ok
  } catch {
    return false
  }
}

/** The answer as JSON; null if there is none. */
async function ask<Answer>(url: string, body?: string): Promise<Answer | null> {
  try {
    const method = body === undefined ? 'GET' : 'POST'
    const answer = await fetch(url, { method, body: body ?? null, signal: AbortSignal.timeout(askMs) })
    return (await answer.json()) as Answer
  } catch {
    return null
  }
}

function newPassword(): string {
  return randomBytes(12).toString('hex')
}
