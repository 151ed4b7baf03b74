import { spawnSync } from 'node:child_process'

/** What is mounted into a root: read-only, writable, or in memory with these options. */
export type Mount =
  | { readonly kind: 'ro' | 'rw'; readonly from: string; readonly to: string }
  | { readonly kind: 'tmpfs'; readonly options: string; readonly to: string }

/** A root file system and how a program runs there. */
export type Container = {
  readonly root: string
  readonly mounts: readonly Mount[]
  /** Numbers: user:group. */
  readonly user: string
}

// What a container runtime does: the root read-only, mounts of its own, an ordinary user that cannot gain privileges.
// Everything ends with the process, because the mounts are in a namespace of its own.
const enter = `set -e
root=$1 user=$2
shift 2
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
while [ "$1" != -- ]; do
  case $1 in
    tmpfs) mount -t tmpfs -o "$2" tmpfs "$root$3" ;;
    *) mount --bind "$2" "$root$3" ;;
  esac
  if [ "$1" = ro ]; then mount -o remount,bind,ro "$root$3"; fi
  shift 3
done
shift
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
exec setpriv --no-new-privs chroot --userspec="$user" "$root" "$@"`

/** Whether this machine lets us mount. */
export const canMount =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

/** The command that runs `command` in a container. */
export function contained({ root, mounts, user }: Container, command: readonly string[]): string[] {
  const mounted = mounts.flatMap((each) =>
    each.kind === 'tmpfs' ? ['tmpfs', each.options, each.to] : [each.kind, each.from, each.to],
  )
  return ['unshare', '--mount', 'sh', '-c', enter, 'sh', root, user, ...mounted, '--', ...command]
}
