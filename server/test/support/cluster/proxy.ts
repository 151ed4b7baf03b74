import { freePort } from '../servers/free-port.ts'
import { startHaproxy } from './haproxy.ts'

export type Proxy = { readonly port: number; stop(): Promise<void> }

/** Starts HAProxy, which passes connections on to the server that Patroni calls the primary, and ends those to any other. */
export async function startProxy(
  folder: string,
  servers: readonly { name: string; address: string; port: number; checkPort: number }[],
): Promise<Proxy> {
  const port = await freePort()
  const { stop } = await startHaproxy(folder, settingsFor(port, servers))
  return { port, stop }
}

const settingsFor = (port: number, servers: Parameters<typeof startProxy>[1]) => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map((each) => `  server ${each.name} ${each.address}:${each.port} check port ${each.checkPort}`).join('\n')}
`
