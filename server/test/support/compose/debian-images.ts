import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What an image runs unless the compose file says otherwise. */
export type Program = {
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** A root in which this machine's programs run once /usr is mounted there: no settings of this machine, no other files. */
export async function layDebian(root: string): Promise<void> {
  for (const path of ['usr', 'etc', 'tmp', 'proc', 'dev', 'sys', 'run/secrets', 'var', 'data', 'config'])
    await mkdir(join(root, path), { recursive: true })
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) await symlink(`usr/${name}`, join(root, name))
  await symlink('../run', join(root, 'var/run'))
  await writeFile(join(root, 'etc/passwd'), 'postgres:x:999:999::/var/lib/postgresql:/bin/sh\n')
  await writeFile(join(root, 'etc/group'), 'postgres:x:999:\n')
}

// What the postgres image does: in an empty volume it makes a cluster and runs the scripts, then it serves the network.
const postgresEntrypoint = `set -e
export PGDATA=/var/lib/postgresql/data PGHOST=/var/run/postgresql
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  initdb --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE" --auth-host=scram-sha-256 --auth-local=trust $POSTGRES_INITDB_ARGS
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl start --wait --options="-c listen_addresses='' -k $PGHOST"
  for script in /docker-entrypoint-initdb.d/*.sh; do . "$script"; done
  pg_ctl stop --wait --mode=fast
fi
exec postgres -c 'listen_addresses=*' -k "$PGHOST"`

/** Debian's packages in place of the images that the compose files name. */
export function debianPrograms(postgresBin: string): Readonly<Record<string, Program>> {
  const path = `${postgresBin}:/usr/sbin:/usr/bin:/sbin:/bin`
  return {
    postgres: { entrypoint: ['sh', '-c', postgresEntrypoint], command: [], env: { PATH: path } },
    redis: { entrypoint: [], command: ['redis-server'], env: { PATH: path } },
    caddy: {
      entrypoint: [],
      command: ['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile'],
      // A user that no file names has this home in Docker.
      env: { PATH: path, HOME: '/', XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: '/config' },
    },
  }
}
