/** The result of one check of a set-up. */
export type Finding = {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'problem'
  /** What was found, in words. */
  readonly says: string
  /** What to do next; null if there is nothing to do. */
  readonly todo: string | null
}

const gigabyte = 1024 ** 3
const day = 24 * 60 * 60 * 1000

export function ok(check: string, says: string): Finding {
  return { check, state: 'ok', says, todo: null }
}

export function warning(check: string, says: string, todo: string): Finding {
  return { check, state: 'warning', says, todo }
}

export function problem(check: string, says: string, todo: string): Finding {
  return { check, state: 'problem', says, todo }
}

/** Compares our clock with the database's. */
export function judgeClocks(offsetMs: number, uncertainMs: number): Finding {
  const apart = Math.max(Math.abs(offsetMs) - uncertainMs, 0)
  const says = `This machine’s clock and the database’s are ${Math.round(apart)} ms apart.`
  const todo = 'Keep both on time with NTP: chrony or systemd-timesyncd (see: timedatectl).'
  if (apart > 30_000)
    return problem('time', says, `${todo} Codes of authenticator apps and TLS fail meanwhile.`)
  return apart > 2_000 ? warning('time', says, todo) : ok('time', says)
}

/** Judges the free space of a disk. */
export function judgeDisk(path: string, freeBytes: number, totalBytes: number): Finding {
  const part = totalBytes === 0 ? 0 : freeBytes / totalBytes
  const says = `The disk of ${path} has ${(freeBytes / gigabyte).toFixed(1)} GB free (${Math.floor(part * 100)} %).`
  const todo = 'Free some, or move to a larger disk: a full disk stops the database, and with it everything.'
  if (part < 0.03 || freeBytes < gigabyte) return problem('disk', says, todo)
  return part < 0.1 || freeBytes < 5 * gigabyte ? warning('disk', says, todo) : ok('disk', says)
}

/** Judges how long a certificate is still valid. */
export function judgeCertificate(host: string, validTo: Date, now: Date): Finding {
  const days = Math.floor((validTo.getTime() - now.getTime()) / day)
  const says = `The certificate of ${host} is valid for ${days} days.`
  const todo = 'Renew it, and check why it is not renewed by itself.'
  if (days < 0) return problem('tls', `The certificate of ${host} has expired.`, todo)
  if (days < 7) return problem('tls', says, todo)
  return days < 21 ? warning('tls', says, todo) : ok('tls', says)
}

/** Judges who else may use a file or folder that is ours alone. */
export function judgeMode(path: string, mode: number, isSecret: boolean): Finding | null {
  const shown = (mode & 0o777).toString(8).padStart(3, '0')
  if ((mode & 0o022) !== 0)
    return problem('permissions', `Others may write to ${path} (mode ${shown}).`, `Run: chmod go-w ${path}`)
  if (isSecret && (mode & 0o077) !== 0)
    return problem(
      'permissions',
      `Others may read ${path} (mode ${shown}), which holds secrets.`,
      `Run: chmod go-rwx ${path}`,
    )
  return null
}
