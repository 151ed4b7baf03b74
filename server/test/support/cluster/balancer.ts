import { expect } from 'vitest'
import { freePort } from '../servers/free-port.ts'
import { eventually } from '../servers/hook-receiver.ts'
import { startHaproxy } from './haproxy.ts'

/** HAProxy before several API processes, as an operator would run it: it asks each whether it is ready. */
export type Balancer = {
  readonly url: string
  /** Waits until it sends requests to all of them. */
  whole(): Promise<void>
  /** Waits until it sends requests to this many of them and has noticed that the others are down. */
  with(count: number): Promise<void>
  stop(): Promise<void>
}

/** Starts it. It never sends a request a second time, so callers see every failure. */
export async function startBalancer(folder: string, ports: readonly number[]): Promise<Balancer> {
  const [port, statsPort] = [await freePort(), await freePort()]
  const { stop } = await startHaproxy(folder, settingsFor(port, statsPort, ports))
  /** HAProxy's own table: a line for each server, with its state in the 18th column. */
  async function states(): Promise<string[]> {
    const answer = await fetch(`http://127.0.0.1:${statsPort}/;csv`).catch(() => null)
    const lines = ((await answer?.text()) ?? '').split('\n').map((line) => line.split(','))
    return lines.flatMap(([, name = '', ...rest]) => (name.startsWith('api') ? [rest[15] ?? ''] : []))
  }
  const exactly = async (count: number) =>
    eventually(async () => {
      const known = (await states()).map((state) => state.replace(/^DOWN.*/, 'DOWN')).sort()
      expect(known).toEqual(ports.map((_, nth) => (nth < ports.length - count ? 'DOWN' : 'UP')))
    })
  return { url: `http://127.0.0.1:${port}`, whole: () => exactly(ports.length), with: exactly, stop }
}

const settingsFor = (port: number, statsPort: number, ports: readonly number[]) => `
defaults
  mode http
  timeout connect 2s
  timeout client 1m
  timeout server 1m
  timeout check 2s
  retries 0
listen callers
  bind 127.0.0.1:${port}
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
  default-server inter 200ms fall 2 rise 1
${ports.map((each, nth) => `  server api-${nth + 1} 127.0.0.1:${each} check`).join('\n')}
listen states
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
`
