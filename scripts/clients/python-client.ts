import type { ClientContract, Method, Resource, WebhookEvent } from './client-operations.ts'
import type { Field, Model, Type } from './client-types.ts'
import { className, modelIn, wrapped } from './client-words.ts'

const folder = 'clients/python/src/sluice/generated'
const head = '# This file is generated from the contract.'
const width = 118
// A field's name and indentation before its type.
const indentOfTypes = 30

/** The generated modules of the Python client, by path. */
export function pythonClient(contract: ClientContract): Record<string, string> {
  return {
    [`${folder}/__init__.py`]: `${head}\n`,
    [`${folder}/models.py`]: modelsModule(contract),
    [`${folder}/events.py`]: eventsModule(contract.events),
    [`${folder}/resources.py`]: resourcesModule(contract),
  }
}

function modelsModule({ models, choices }: ClientContract): string {
  return [
    head,
    'from __future__ import annotations',
    '',
    'from typing import Any, Dict, List, Literal, Optional',
    '',
    'from ..model import Model',
    '',
    ...[...choices].flatMap(([name, values]) => [`${name} = ${literal(values)}`, '']),
    ...models.flatMap((model) => ['', ...modelClass(model), '']),
    // Set here, because a model may contain one that is defined below it.
    '',
    ...models.flatMap(nesting),
    '',
    ...exported([...choices.keys(), ...models.map(({ name }) => name)]),
    '',
  ].join('\n')
}

function exported(names: readonly string[]): string[] {
  return ['__all__ = [', ...[...names].sort().map((name) => `    "${name}",`), ']']
}

function modelClass({ name, base, description, fields }: Model): string[] {
  return [
    `class ${name}(${base ?? 'Model'}):`,
    ...(description === '' ? [] : [...docstring(description, 4), '']),
    '    __slots__ = ()',
    ...fields.flatMap((field) => ['', `    ${field.name}: ${typeText(field.type)}`, ...docOf(field, 4)]),
  ]
}

function nesting({ name, fields }: Model): string[] {
  const nested = fields.flatMap(({ name: field, type }) => {
    const model = modelIn(type)
    return model === null ? [] : [`"${field}": ${model}`]
  })
  return nested.length === 0 ? [] : [`${name}._nested = {${nested.join(', ')}}`]
}

function eventsModule(events: readonly WebhookEvent[]): string {
  const models = [...new Set(events.flatMap(({ data }) => modelIn(data) ?? []))].sort()
  return [
    head,
    'from __future__ import annotations',
    '',
    'from typing import Any, Dict, Literal, Mapping, Type, Union',
    '',
    'from ..model import EventModel',
    `from .models import ${models.join(', ')}`,
    '',
    ...events.flatMap((event) => ['', ...eventClass(event), '']),
    '',
    'WebhookEvent = Union[',
    ...events.map(({ event }) => `    ${className(event)},`),
    ']',
    '"""A webhook. Comparing `event` with a name tells the type checker what `data` is."""',
    '',
    'EVENTS: Mapping[str, Type[EventModel]] = {',
    ...events.map(({ event }) => `    "${event}": ${className(event)},`),
    '}',
    '',
    ...exported(['WebhookEvent', ...events.map(({ event }) => className(event))]),
    '',
  ].join('\n')
}

function eventClass({ event, summary, data }: WebhookEvent): string[] {
  const model = modelIn(data)
  return [
    `class ${className(event)}(EventModel):`,
    ...docstring(summary, 4),
    '',
    '    __slots__ = ()',
    ...(model === null ? [] : [`    _nested = {"data": ${model}}`]),
    '',
    `    event: Literal["${event}"]`,
    `    data: ${typeText(data)}`,
  ]
}

function resourcesModule({ resources, models }: ClientContract): string {
  const used = models
    .map(({ name }) => name)
    .filter((name) => resources.some(({ methods }) => methods.some(({ answers }) => answers.model === name)))
  const choices = resources.flatMap(({ methods }) =>
    methods.flatMap(({ query, body }) => [...query, ...(body ?? [])].flatMap(({ type }) => choiceIn(type))),
  )
  const imported = [...new Set([...used, ...choices])].sort()
  return [
    head,
    'from __future__ import annotations',
    '',
    'from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, Union',
    '',
    'from ..model import Page, Rows',
    'from ..resource import MetadataIn, Resource, Route',
    'from .models import (',
    ...imported.map((name) => `    ${name},`),
    ')',
    '',
    'ROUTES: Dict[str, Route] = {',
    ...resources.flatMap(({ methods }) => methods.map(routeRow)),
    '}',
    '"""Every operation of the contract by its id."""',
    '',
    ...resources.flatMap((resource) => ['', ...resourceClass(resource), '']),
    '',
    'class Resources:',
    ...docstring('The API by resource.', 4),
    '',
    ...resources.map(({ name }) => `    ${name}: ${className(name)}`),
    '',
    '    def _attach(self, base: Resource) -> None:',
    ...resources.map(({ name }) => `        self.${name} = ${className(name)}(base)`),
    '',
  ].join('\n')
}

function routeRow({ operationId, verb, path, needsKey, idempotency }: Method): string {
  const key = needsKey ? 'True' : 'False'
  return `    "${operationId}": Route("${verb}", "${path}", ${key}, ${idempotency === null ? 'None' : `"${idempotency}"`}),`
}

function resourceClass({ name, methods }: Resource): string[] {
  return [
    `class ${className(name)}(Resource):`,
    ...methods.flatMap((method, at) => [
      ...(at === 0 ? [] : ['']),
      ...definition(method),
      ...(method.iterator === null ? [] : ['', ...iterator(method)]),
    ]),
  ]
}

const callOptions: readonly string[] = [
  'timeout: Optional[float] = None',
  'max_retries: Optional[int] = None',
]
const passedOptions: readonly string[] = ['timeout=timeout', 'max_retries=max_retries']

function definition(method: Method): string[] {
  const { model, list } = method.answers
  const shape = !list ? model : method.iterator === null ? `Rows[${model}]` : `Page[${model}]`
  const call = !list ? 'one' : method.iterator === null ? 'rows' : 'page'
  const own = [...method.query, ...(method.body ?? [])]
  const header = method.idempotency === 'header' ? ['idempotency_key: Optional[str] = None'] : []
  return [
    ...signature(method.name, method, [...own.map(parameter), ...header], shape),
    ...docstring(documented(method.summary, own), 8),
    `        return self._${call}(`,
    ...lines([model, `ROUTES["${method.operationId}"]`, ...given(method, false)]),
    '        )',
  ]
}

function iterator(method: Method): string[] {
  const { model } = method.answers
  const upwards = method.positioned
    ? ' With `after` it goes upwards from that position and misses none, even while new rows arrive.'
    : ''
  return [
    ...signature(method.iterator ?? '', method, method.query.map(parameter), `Iterator[${model}]`),
    ...docstring(
      documented(
        `Every row of \`${method.name}\`, page after page; \`limit\` is the size of a page.${upwards}`,
        method.query,
      ),
      8,
    ),
    `        return self._${method.positioned ? 'every_or_after' : 'every'}(`,
    ...lines([model, `ROUTES["${method.operationId}"]`, ...given(method, true)]),
    '        )',
  ]
}

function signature(name: string, { subject }: Method, parameters: readonly string[], answer: string) {
  const subjectName = subject === null ? [] : [`${subjectOf(subject)}: str`]
  return [
    `    def ${name}(`,
    ...lines(['self', ...subjectName, '*', ...parameters, ...callOptions], 8),
    `    ) -> ${answer}:`,
  ]
}

function given({ subject, query, body, idempotency }: Method, isIterator: boolean): string[] {
  const values = (fields: readonly Field[]) =>
    [
      '{',
      ...lines(
        fields.map(({ name }) => `"${name}": ${name}`),
        16,
      ),
      '            }',
    ].join('\n')
  return [
    ...(subject === null ? [] : [`subject=${subjectOf(subject)}`]),
    ...(query.length === 0 ? [] : [`query=${values(query)}`]),
    ...(body === null || isIterator ? [] : [`body=${values(body)}`]),
    ...(idempotency === 'header' && !isIterator ? ['idempotency_key=idempotency_key'] : []),
    ...passedOptions,
  ]
}

function parameter({ name, type, required }: Field): string {
  const text = requestType(type)
  return required ? `${name}: ${text}` : `${name}: Optional[${text}] = None`
}

/** `invoiceID` is `invoice_id`; the only path parameter that is no id is a currency. */
function subjectOf(name: string): string {
  return name.replace(/ID$/, '_id').toLowerCase()
}

function requestType(type: Type): string {
  if (type.kind === 'map') return 'MetadataIn'
  if (type.kind === 'codes') return 'Union[str, Sequence[str]]'
  if (type.kind === 'list')
    return `Sequence[${type.of.kind === 'model' ? 'Mapping[str, Any]' : typeText(type.of)}]`
  return typeText({ ...type, nullable: false })
}

function typeText(type: Type): string {
  const text = bareType(type)
  return type.nullable ? `Optional[${text}]` : text
}

function bareType(type: Type): string {
  switch (type.kind) {
    case 'text':
      return 'str'
    case 'integer':
      return 'int'
    case 'boolean':
      return 'bool'
    case 'choice':
      return type.name ?? literal(type.values)
    case 'list':
      return `List[${typeText(type.of)}]`
    case 'map':
      return 'Dict[str, Any]'
    case 'model':
      return type.name
    default:
      return 'Any'
  }
}

function choiceIn(type: Type): string[] {
  if (type.kind === 'choice') return type.name === null ? [] : [type.name]
  return type.kind === 'list' ? choiceIn(type.of) : []
}

function literal(values: readonly string[]): string {
  const quoted = values.map((value) => `"${value}"`)
  const line = `Literal[${quoted.join(', ')}]`
  return line.length + indentOfTypes <= width ? line : ['Literal[', ...lines(quoted, 4), ']'].join('\n')
}

const lines = (items: readonly string[], indent = 12) => items.map((item) => `${' '.repeat(indent)}${item},`)

function docOf({ description }: Field, indent: number): string[] {
  return description === '' ? [] : docstring(description, indent)
}

function documented(summary: string, fields: readonly Field[]): string {
  const rows = fields
    .filter(({ description }) => description !== '')
    .map(({ name, description }) => `${name}: ${description}`)
  return rows.length === 0 ? summary : [summary, '', ...rows].join('\n')
}

function docstring(text: string, indent: number): string[] {
  const pad = ' '.repeat(indent)
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  const rows = safe.split('\n').flatMap((line) => wrapped(line, width - indent))
  const [only, ...more] = rows
  if (more.length === 0 && (only ?? '').length + indent + 6 <= width) return [`${pad}"""${only}"""`]
  return [`${pad}"""`, ...rows.map((row) => (row === '' ? '' : `${pad}${row}`)), `${pad}"""`]
}
