import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { image } from '../../scripts/release/images.ts'
import { serviceRoles } from '../src/cli/tools.ts'
import { readSettings } from '../src/settings/settings.ts'
import { read, readYaml, root, secretSettings, settingNames } from './support/deploy-files.ts'

// Helm is not needed here, and was not there when this was written. The templates keep to what this test can fill in: values by
// their path, as they are or as JSON, and the release's name. Anything else fails.

const chart = 'deploy/helm/sluice'
const values = readYaml(`${chart}/values.yaml`)

function filled(template: string): string {
  return template.replace(/\{\{ (.+?) \}\}/g, (all, inside: string) => {
    const [path = '', ...filters] = inside.split(' | ')
    const source = { Values: values, Release: { Name: 'shop' } }
    let value: unknown = source
    for (const name of path.slice(1).split('.')) value = (value as Record<string, unknown>)[name]
    if (value === undefined || filters.some((each) => each !== 'toJson'))
      throw new Error(`cannot fill in ${all}`)
    return filters.reduce<unknown>((text) => JSON.stringify(text), value) as string
  })
}

type Object = {
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  spec: Spec
  data?: Record<string, string>
}
// biome-ignore lint/suspicious/noExplicitAny: any kind of object; what is missing fails the test.
type Spec = any

const objects = readdirSync(join(root, chart, 'templates')).flatMap((name) =>
  parseAllDocuments(filled(read(`${chart}/templates/${name}`))).map((document) => {
    if ('errors' in document) expect(document.errors).toEqual([])
    return (document as { toJS(): unknown }).toJS() as Object
  }),
)
const of = (kind: string, name: string): Object => {
  const found = objects.find((each) => each.kind === kind && each.metadata.name === `shop-${name}`)
  if (found === undefined) throw new Error(`no ${kind} ${name}`)
  return found
}
const workloads = [
  { name: 'api', object: of('Deployment', 'api') },
  { name: 'worker', object: of('Deployment', 'worker') },
  { name: 'signer', object: of('StatefulSet', 'signer') },
  { name: 'migrate', object: of('Job', 'migrate') },
]
const podOf = ({ spec }: Object) => spec.template.spec
const labelsOf = (name: string) => ({
  'app.kubernetes.io/name': 'sluice',
  'app.kubernetes.io/instance': 'shop',
  'app.kubernetes.io/component': name,
})

describe.each(workloads)('$name', ({ name, object }) => {
  const pod = podOf(object)
  const [container] = pod.containers
  const kind = name === 'signer' ? 'signer' : 'sluice'
  const env = Object.fromEntries(
    container.env.map((each: { name: string; value: string }) => [each.name, each.value]),
  )

  it('is not root, cannot write to its root, and has no privileges', () => {
    const uid = image.uids[kind]
    expect(pod.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: uid,
      runAsGroup: uid,
      fsGroup: uid,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    })
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.containers).toHaveLength(1)
  })

  it('runs an image, a command and settings that exist, and gets its secrets as files', () => {
    expect(container.image).toBe(`${kind === 'signer' ? 'sluice-signer' : 'sluice'}:${values.image.tag}`)
    const [command, option, role] = container.args
    expect(command).toBe(name === 'migrate' ? 'migrate' : 'start')
    if (name !== 'migrate')
      expect([option, role, serviceRoles.includes(role)]).toEqual(['--role', name, true])
    const mounts = container.volumeMounts.map((each: { mountPath: string }) => each.mountPath)
    for (const [setting, value] of Object.entries<string>(env)) {
      expect(settingNames).toContain(setting)
      expect(setting).not.toMatch(secretSettings)
      if (value.startsWith('/'))
        expect(
          mounts.some((path: string) => value.startsWith(`${path}/`)),
          value,
        ).toBe(true)
    }
    for (const { name: volume } of container.volumeMounts)
      expect([
        ...pod.volumes,
        ...(object.spec.volumeClaimTemplates ?? []).map((each: Spec) => each.metadata),
      ]).toContainEqual(expect.objectContaining({ name: volume }))
  })

  it('is probed, and selected by its own labels', () => {
    expect(object.spec.template.metadata.labels).toEqual(labelsOf(name))
    if (name === 'migrate') return
    expect(object.spec.selector.matchLabels).toEqual(labelsOf(name))
    expect(of('PodDisruptionBudget', name).spec.selector.matchLabels).toEqual(labelsOf(name))
    if (name === 'api') {
      expect(container.ports).toContainEqual({ name: 'http', containerPort: readSettings({}).port })
      expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
    } else
      for (const probe of [container.startupProbe, container.livenessProbe])
        expect(probe.exec.command).toEqual([image.node, `${image.home}/server/bin/health.mjs`])
  })
})

it('Prometheus reads the metrics of API and worker once they leave the pod, and reaches nothing else', () => {
  const { host, peers } = values.metrics
  expect(host).toBe(readSettings({}).metricsHost)
  expect(peers).not.toEqual([])
  for (const name of ['api', 'worker']) {
    const [container] = podOf(of('Deployment', name)).containers
    expect(container.ports).toContainEqual({ name: 'metrics', containerPort: readSettings({}).metricsPort })
    expect(container.env).toContainEqual({ name: 'SLUICE_METRICS_HOST', value: host })
    const { spec } = of('NetworkPolicy', name)
    expect(spec.podSelector.matchLabels).toEqual(labelsOf(name))
    const policies = spec.ingress.map(({ from, ports }: Spec) => [from, ports[0].port, ports.length])
    const ingress = name === 'api' ? [[values.ingressPeers, 'http', 1]] : []
    expect(policies).toEqual([...ingress, [peers, 'metrics', 1]])
  }
})

it('no one reaches the signer, and it reaches the database and DNS alone', () => {
  const { spec } = of('NetworkPolicy', 'signer')
  expect(spec.podSelector.matchLabels).toEqual(labelsOf('signer'))
  expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
  expect(spec.ingress).toEqual([])
  expect(spec.egress.map((each: Spec) => each.ports.map(({ port }: { port: number }) => port))).toEqual([
    [values.database.port],
    [53, 53],
  ])
  expect(spec.egress[0].to).toEqual(values.database.peers)
  expect(objects.filter((each) => each.kind === 'Service').map((each) => each.metadata.name)).toEqual([
    'shop-api',
  ])
})

it('the owner’s role is known to the migration alone, and the wallet’s key to the signer alone', () => {
  const holders = (secret: string) =>
    workloads
      .filter(({ object }) => JSON.stringify(podOf(object).volumes).includes(`"${secret}"`))
      .map(({ name }) => name)
  expect(holders(values.secrets.owner)).toEqual(['migrate'])
  expect(holders(values.secrets.wallet)).toEqual(['signer'])
  expect(holders(values.secrets.service)).toEqual(['api', 'worker', 'signer', 'migrate'])
})

it('there is one signer with a volume of its own, and the schema is migrated before anything starts', () => {
  const { spec } = of('StatefulSet', 'signer')
  expect([spec.replicas, spec.volumeClaimTemplates.length]).toEqual([1, 1])
  expect(of('Job', 'migrate').metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade')
  expect(JSON.parse(of('ConfigMap', 'config').data?.['config.json'] ?? '')).toEqual(values.config)
})

it('the version is the project’s, and the schema accepts the values and refuses others', () => {
  const { version } = JSON.parse(read('package.json'))
  expect(readYaml(`${chart}/Chart.yaml`)).toMatchObject({ version, appVersion: version })
  expect(values.image.tag).toBe(version)
  const accepts = new Ajv().compile(JSON.parse(read(`${chart}/values.schema.json`)))
  expect([accepts(values), accepts.errors]).toEqual([true, null])
  for (const wrong of [
    { replicas: 2 },
    { publicUrl: 'http://pay.example.com' },
    { redisUrlFile: 'redis://x' },
    { replicaUrlFile: 'postgres://x' },
    // No peers at all would mean everyone.
    { metrics: { host: '0.0.0.0', peers: [] } },
  ])
    expect([wrong, accepts({ ...values, ...wrong })]).toEqual([wrong, false])
})
