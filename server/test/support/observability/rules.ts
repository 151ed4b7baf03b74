import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import internal from '../../../src/http/internal-contract.generated.json' with { type: 'json' }
import { namedIn } from './promql.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}

type Panel = {
  readonly title: string
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

/** An expression, where it is written, and the labels that the text around it shows. */
export type Expression = { readonly where: string; readonly expr: string; readonly shown: readonly string[] }

/** By metric, the labels of its series and the values of each. A metric without series has no labels here. */
export type KnownSeries = ReadonlyMap<
  string,
  { readonly help: string; readonly labels: ReadonlyMap<string, ReadonlySet<string>> }
>

const rules = () =>
  (parse(read('deploy/observability/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
    (group) => group.rules,
  )

/** The alerts, and the sections of the runbook by their heading. */
export function readAlerts() {
  const [, ...sections] = read('docs/operating/runbook.md').split(/^## /m)
  return {
    alerts: rules().map(({ alert, labels, annotations }) => ({
      name: alert,
      severity: labels.severity,
      summary: annotations.summary,
      runbook: annotations.runbook_url,
    })),
    sections: new Map(
      sections.map((text) => [text.slice(0, text.indexOf('\n')), text.slice(text.indexOf('\n'))]),
    ),
  }
}

/** Every expression of the alert rules and of the dashboard. */
export function expressions(): Expression[] {
  const { panels } = JSON.parse(read('deploy/observability/grafana.json')) as { panels: Panel[] }
  return [
    ...rules().map(({ alert, expr, annotations }) => ({
      where: alert,
      expr,
      shown: [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label),
    })),
    ...panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr, legendFormat }) => ({
        where: title,
        expr,
        shown: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
      })),
    ),
  ]
}

/** What Prometheus reads from a process, by metric. */
export function seriesIn(text: string): KnownSeries {
  const found = new Map<string, { help: string; labels: Map<string, Set<string>> }>()
  const of = (name: string) => {
    const known = found.get(name) ?? { help: '', labels: new Map() }
    found.set(name, known)
    return known
  }
  for (const line of text.split('\n')) {
    const [, name, help] = /^# HELP (\S+) (.*)$/.exec(line) ?? []
    if (name !== undefined) of(name).help = help ?? ''
    const [, series, labels] = /^([a-z]\w*)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (series === undefined) continue
    for (const [, label = '', value = ''] of (labels ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      of(series).labels.set(label, (of(series).labels.get(label) ?? new Set()).add(value))
    of(series)
  }
  // Prometheus itself adds this one, and the labels job and instance to all.
  of('up')
  return found
}

const ofTarget = ['job', 'instance']
const operations = new Set(
  [...JSON.stringify(internal).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id),
)

/** What is wrong with an expression, in words; nothing if all that it names exists. */
export function misnamed({ where, expr, shown }: Expression, known: KnownSeries): string[] {
  let named: ReturnType<typeof namedIn>
  try {
    named = namedIn(expr)
  } catch (error) {
    return [`${where}: ${(error as Error).message}`]
  }
  const { metrics, grouped } = named
  const wrong: string[] = []
  const labelsOf = (name: string) => [...(known.get(name)?.labels.keys() ?? []), ...ofTarget]
  for (const { name, labels } of metrics) {
    if (!known.has(name)) wrong.push(`no metric ${name}`)
    else
      for (const label of labels)
        if (!labelsOf(name).includes(label)) wrong.push(`${name} has no label ${label}`)
  }
  for (const label of grouped)
    if (!metrics.some(({ name }) => labelsOf(name).includes(label)))
      wrong.push(`no metric here has the label ${label}`)
  const kept = grouped.length === 0 && !/\b(max|min|sum|count) ?\(/.test(expr) ? shown : grouped
  for (const label of shown)
    if (!kept.includes(label) && !(ofTarget.includes(label) && !/\b(max|min|sum|count)\b/.test(expr)))
      wrong.push(`shows ${label}, which the expression drops`)
  return [...wrong, ...wrongValues(expr, known)].map((what) => `${where}: ${what}`)
}

/** Values that a label never has. Reasons are listed in the metric's help; operations, in the contract. */
function wrongValues(expr: string, known: KnownSeries): string[] {
  const values = (label: string) =>
    [...expr.matchAll(new RegExp(`\\b${label}(?:=~|!~|!=|=)"([^"]*)"`, 'g'))].flatMap(([, text = '']) =>
      text.split('|'),
    )
  const reasons = `${known.get('sluice_payouts_waiting')?.help} dust`
  return [
    ...values('reason').flatMap((value) =>
      new RegExp(`\\b${value}\\b`).test(reasons) ? [] : [`reason is never ${value}`],
    ),
    ...values('endpoints').flatMap((value) =>
      known.get('sluice_webhook_deliveries_due')?.labels.get('endpoints')?.has(value)
        ? []
        : [`endpoints is never ${value}`],
    ),
    ...values('operation').flatMap((value) => (operations.has(value) ? [] : [`no operation ${value}`])),
  ]
}
