/** Where traces go, and which. */
export type TracingSettings = {
  readonly url: string
  /** May hold a password. */
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly sampling: { readonly share: number; readonly followsParent: boolean }
}

type Env = Readonly<Record<string, string | undefined>>

const samplers = ['always_on', 'always_off', 'traceidratio']
const tracesPath = 'v1/traces'
// RFC 9110: a header's name is a token, its value has no control characters.
const headerName = /^[\w!#$%&'*+.^`|~-]+$/
const headerValue = /^[\x20-\x7e]*$/

/**
 * Reads the standard environment variables of OpenTelemetry. Null if no collector is named: nothing is traced then. No
 * problem repeats a value that may hold a password.
 */
export function readTracing(env: Env, problems: string[]): TracingSettings | null {
  const of = (name: string) => env[name]?.trim() || null
  const problem = (name: string, text: string) => problems.push(`${name} ${text}`)
  const url = collectorUrl()
  if (url === null) return null
  const protocol = of('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? of('OTEL_EXPORTER_OTLP_PROTOCOL')
  if (protocol === 'grpc')
    problem(
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'must not be grpc: traces are sent over HTTP, to port 4318 of most collectors',
    )
  return {
    url,
    headers: headers('OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: of('OTEL_SERVICE_NAME') ?? 'sluice',
    sampling: sampling('OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'),
  }

  function collectorUrl(): string | null {
    const exact = httpUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
    const base = httpUrl('OTEL_EXPORTER_OTLP_ENDPOINT')
    if (exact !== null || base === null) return exact
    return new URL(tracesPath, base.endsWith('/') ? base : `${base}/`).href
  }

  function httpUrl(name: string): string | null {
    const text = of(name)
    if (text === null) return null
    if (/^https?:\/\//i.test(text) && URL.canParse(text)) {
      const { username, password } = new URL(text)
      if (username === '' && password === '') return text
    }
    problem(
      name,
      'must look like http://collector.example.com:4318; a password belongs in OTEL_EXPORTER_OTLP_HEADERS',
    )
    return null
  }

  function headers(name: string): Record<string, string> {
    const pairs = (of(name) ?? '').split(',').filter((pair) => pair.trim() !== '')
    const read = pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, Math.max(at, 0)).trim(), decoded(pair.slice(at + 1).trim())] as const
    })
    if (read.every(([key, value]) => headerName.test(key) && value !== null && headerValue.test(value)))
      return Object.fromEntries(read.map(([key, value]) => [key.toLowerCase(), value ?? '']))
    problem(
      name,
      'must look like name=value,name=value; encode special characters: %20 is a space, %2C a comma',
    )
    return {}
  }

  function sampling(name: string, argument: string): TracingSettings['sampling'] {
    const text = of(name) ?? 'parentbased_always_on'
    const followsParent = text.startsWith('parentbased_')
    const sampler = text.replace(/^parentbased_/, '')
    if (!samplers.includes(sampler)) {
      const all = samplers.flatMap((each) => [each, `parentbased_${each}`])
      problem(name, `must be one of ${all.join(', ')}`)
    }
    if (sampler !== 'traceidratio') return { share: sampler === 'always_off' ? 0 : 1, followsParent }
    const ratio = of(argument) ?? '1'
    if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(ratio))
      problem(argument, `must be a number from 0 to 1, not "${ratio}"`)
    return { share: Number(ratio), followsParent }
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
