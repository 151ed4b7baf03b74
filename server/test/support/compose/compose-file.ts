import { readYaml } from '../deploy-files.ts'

type Condition = 'service_started' | 'service_healthy' | 'service_completed_successfully'

/** One container as the compose files describe it. */
export type Described = {
  readonly service: string
  /** As Docker names it: the project, the service and a number. */
  readonly name: string
  readonly image: string
  readonly user: string
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
  readonly configs: readonly { readonly file: string; readonly target: string }[]
  readonly volumes: readonly { readonly from: string; readonly to: string }[]
  readonly tmpfs: readonly { readonly to: string; readonly options: string }[]
  /** The networks that it is in, each with the address that it must have there, if any. */
  readonly networks: Readonly<Record<string, string | null>>
  readonly isPublished: boolean
  readonly check: readonly string[] | null
  readonly after: Readonly<Record<string, Condition>>
}

export type Topology = {
  readonly containers: readonly Described[]
  readonly networks: readonly {
    readonly name: string
    readonly isInternal: boolean
    readonly subnet: string | null
  }[]
}

// biome-ignore lint/suspicious/noExplicitAny: a file of another program, whose shape the reading below establishes.
type Raw = Record<string, any>

/** Reads compose files, the later ones on top of the first, with these variables. Throws on what a test would pass over. */
export function readCompose(files: readonly string[], variables: Readonly<Record<string, string>>): Topology {
  const raw = files.map((file) => filled(readYaml(file), variables) as Raw)
  const [first = {}] = raw
  const names = [...new Set(raw.flatMap(({ services }) => Object.keys(services)))]
  const configs: Raw = first.configs ?? {}
  const containers = names.flatMap((service) => {
    const merged = raw.map(({ services }) => services[service] ?? {}).reduce(overlaid)
    refuseUnread(service, merged)
    return Array.from({ length: merged.deploy?.replicas ?? 1 }, (_, nth) => ({
      service,
      name: `${first.name}-${service}-${nth + 1}`,
      image: merged.image.split(':')[0],
      user: merged.user,
      command: merged.command ?? [],
      environment: merged.environment ?? {},
      secrets: merged.secrets ?? [],
      configs: (merged.configs ?? []).map((each: Raw) => ({
        file: configs[each.source].file,
        target: each.target,
      })),
      volumes: (merged.volumes ?? []).map((each: string) => parted(each, 'from', 'to')),
      tmpfs: (merged.tmpfs ?? []).map((each: string) => parted(each, 'to', 'options')),
      networks: networksOf(merged.networks),
      isPublished: merged.ports !== undefined,
      check: merged.healthcheck?.test?.slice(1) ?? null,
      after: conditionsOf(merged.depends_on),
    }))
  })
  const networks = Object.entries((first.networks ?? {}) as Raw).map(([name, network]) => ({
    name,
    isInternal: network.internal === true,
    subnet: network.ipam?.config[0].subnet ?? null,
  }))
  return { containers, networks }
}

const read = new Set(
  `image user command environment secrets configs volumes tmpfs networks ports healthcheck depends_on deploy
   read_only cap_drop cap_add security_opt ulimits restart shm_size stop_signal stop_grace_period`.split(
    /\s+/,
  ),
)

function refuseUnread(service: string, container: Raw): void {
  const unread = Object.keys(container).filter((key) => !read.has(key))
  if (unread.length > 0)
    throw new Error(`${service} of the compose file has ${unread}, which is not read here`)
  if (container.read_only !== true || container.cap_drop?.[0] !== 'ALL')
    throw new Error(`${service} of the compose file is writable or has capabilities; it would not be here`)
}

/** As Docker Compose lays one file over another: maps are merged, lists are appended. */
function overlaid(below: Raw, above: Raw): Raw {
  const merged: Raw = { ...below }
  for (const [key, value] of Object.entries(above)) {
    if (Array.isArray(value) && Array.isArray(below[key])) merged[key] = [...below[key], ...value]
    else if (isMap(value) && isMap(below[key])) merged[key] = overlaid(below[key], value)
    else merged[key] = value
  }
  return merged
}

function isMap(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `${NAME:?…}` is the variable, everywhere. */
function filled(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => {
      const set = variables[name]
      if (set === undefined) throw new Error(`The compose file needs ${name}.`)
      return set
    })
  if (Array.isArray(value)) return value.map((each) => filled(each, variables))
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, variables)]))
}

function parted<First extends string, Second extends string>(text: string, first: First, second: Second) {
  const at = text.indexOf(':')
  return { [first]: text.slice(0, at), [second]: text.slice(at + 1) } as Record<First | Second, string>
}

function networksOf(networks: readonly string[] | Raw): Record<string, string | null> {
  if (Array.isArray(networks)) return Object.fromEntries(networks.map((name) => [name, null]))
  return Object.fromEntries(
    Object.entries(networks).map(([name, each]) => [name, each?.ipv4_address ?? null]),
  )
}

function conditionsOf(after: readonly string[] | Raw | undefined): Record<string, Condition> {
  if (after === undefined) return {}
  if (Array.isArray(after)) return Object.fromEntries(after.map((name) => [name, 'service_started']))
  return Object.fromEntries(Object.entries(after).map(([name, { condition }]) => [name, condition]))
}
