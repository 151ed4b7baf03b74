import type { ClientContract, Method, Resource, WebhookEvent } from './client-operations.ts'
import type { Field, Model, Type } from './client-types.ts'
import { className, modelIn, wrapped } from './client-words.ts'

const folder = 'clients/php/src'
const width = 118

/** The generated classes of the PHP client, by path: one a file, as PSR-4 wants it. */
export function phpClient({ resources, models, events }: ClientContract): Record<string, string> {
  const files = [
    ...models.map((model) => [`Model/${model.name}`, modelClass(model, models)] as const),
    ...events.map((event) => [`Event/${className(event.event)}`, eventClass(event)] as const),
    ['Event/Events', eventsClass(events)] as const,
    ...resources.map(
      (resource) => [`Resource/${className(resource.name)}`, resourceClass(resource)] as const,
    ),
    ['Resource/Resources', resourcesClass(resources)] as const,
  ]
  return Object.fromEntries(files.map(([name, lines]) => [`${folder}/${name}.php`, `${lines.join('\n')}\n`]))
}

function head(namespace: string, uses: readonly string[]): string[] {
  return [
    '<?php',
    '',
    '// This file is generated from the contract.',
    'declare(strict_types=1);',
    '',
    `namespace Sluice\\${namespace};`,
    '',
    ...[...uses].sort().map((use) => `use ${use};`),
    ...(uses.length === 0 ? [] : ['']),
  ]
}

function modelClass({ name, base, description, fields }: Model, models: readonly Model[]): string[] {
  const isBase = models.some((other) => other.base === name)
  const nested = fields.flatMap((field) => {
    const model = modelIn(field.type)
    return model === null ? [] : [`'${field.name}' => ${model}::class`]
  })
  return [
    ...head('Model', base === null ? ['Sluice\\Model'] : []),
    ...comment(
      [
        ...(description === '' ? [] : [description, '']),
        ...fields.map(
          (field) => `@property-read ${typeText(field.type)} $${field.name} ${field.description}`,
        ),
      ],
      0,
    ),
    `${isBase ? '' : 'final '}class ${name} extends ${base ?? 'Model'}`,
    '{',
    ...(nested.length === 0 ? [] : [`    protected const NESTED = [${nested.join(', ')}];`]),
    '}',
  ]
}

function eventClass({ event, summary, data }: WebhookEvent): string[] {
  const model = modelIn(data)
  return [
    ...head('Event', [...(model === null ? [] : [`Sluice\\Model\\${model}`]), 'Sluice\\WebhookEvent']),
    ...comment(
      [summary, '', `@property-read '${event}' $event`, `@property-read ${typeText(data)} $data`],
      0,
    ),
    `final class ${className(event)} extends WebhookEvent`,
    '{',
    ...(model === null ? [] : [`    protected const NESTED = ['data' => ${model}::class];`]),
    '}',
  ]
}

function eventsClass(events: readonly WebhookEvent[]): string[] {
  return [
    ...head('Event', []),
    ...comment(['The class of each event by its name.'], 0),
    'final class Events',
    '{',
    '    public const CLASSES = [',
    ...events.map(({ event }) => `        '${event}' => ${className(event)}::class,`),
    '    ];',
    '}',
  ]
}

function resourcesClass(resources: readonly Resource[]): string[] {
  return [
    ...head('Resource', ['Sluice\\Transport']),
    ...comment(['The API by resource.'], 0),
    'abstract class Resources',
    '{',
    ...resources.map(({ name }) => `    public readonly ${className(name)} $${camel(name)};`),
    '',
    '    protected function attach(Transport $transport): void',
    '    {',
    ...resources.map(({ name }) => `        $this->${camel(name)} = new ${className(name)}($transport);`),
    '    }',
    '}',
  ]
}

function resourceClass({ name, methods }: Resource): string[] {
  const models = methods.map(({ answers }) => `Sluice\\Model\\${answers.model}`)
  const paged = methods.some(({ iterator }) => iterator !== null)
  const listed = methods.some(({ iterator, answers }) => answers.list && iterator === null)
  const uses = [
    ...new Set(models),
    'Sluice\\Resource',
    'Sluice\\Route',
    ...(paged ? ['Sluice\\Page'] : []),
    ...(listed ? ['Sluice\\Rows'] : []),
  ]
  return [
    ...head('Resource', uses),
    `final class ${className(name)} extends Resource`,
    '{',
    ...methods.flatMap((method, at) => [
      ...(at === 0 ? [] : ['']),
      ...definition(method),
      ...(method.iterator === null ? [] : ['', ...iterator(method)]),
    ]),
    '}',
  ]
}

const callOptions: readonly string[] = ['?float $timeout = null', '?int $maxRetries = null']
const passedOptions: readonly string[] = ['timeout: $timeout', 'maxRetries: $maxRetries']

function definition(method: Method): string[] {
  const { model, list } = method.answers
  const shape = !list ? model : method.iterator === null ? 'Rows' : 'Page'
  const call = !list ? 'one' : method.iterator === null ? 'rows' : 'page'
  const header = method.idempotency === 'header'
  const parameters = [
    ...subjectParameter(method),
    ...queryParameter(method),
    ...bodyParameter(method),
    ...(header ? ['?string $idempotencyKey = null'] : []),
    ...callOptions,
  ]
  const passed = [
    ...(method.body === null ? [] : ['fields: $fields']),
    ...(header ? ['idempotencyKey: $idempotencyKey'] : []),
  ]
  return [
    ...comment(
      [
        method.summary,
        '',
        ...described([...method.query, ...(method.body ?? [])]),
        ...(method.query.length === 0 ? [] : shapeOf('query', method.query)),
        ...(method.body === null ? [] : shapeOf('fields', method.body)),
        ...(list ? [`@return ${shape}<${model}>`] : []),
      ],
      4,
    ),
    ...body(camel(method.name), parameters, shape, call, method, passed),
  ]
}

function iterator(method: Method): string[] {
  const { model } = method.answers
  const upwards = method.positioned
    ? ' With `after` it goes upwards from that position and misses none, even while new rows arrive.'
    : ''
  const summary = `Every row of \`${camel(method.name)}\`, page after page; \`limit\` is the size of a page.${upwards}`
  const parameters = [...subjectParameter(method), ...queryParameter(method), ...callOptions]
  return [
    ...comment(
      [
        summary,
        '',
        ...described(method.query),
        ...shapeOf('query', method.query),
        `@return \\Generator<int, ${model}>`,
      ],
      4,
    ),
    ...body(
      camel(method.iterator ?? ''),
      parameters,
      '\\Generator',
      method.positioned ? 'everyOrAfter' : 'every',
      method,
      [],
    ),
  ]
}

function body(
  name: string,
  parameters: readonly string[],
  answer: string,
  call: string,
  method: Method,
  passed: readonly string[],
): string[] {
  const { verb, path, needsKey, idempotency, answers } = method
  const place = idempotency === null ? 'null' : `'${idempotency}'`
  const all = [
    `${answers.model}::class`,
    `new Route('${verb}', '${path}', ${needsKey}, ${place})`,
    ...(method.subject === null ? [] : [`subject: $${subjectOf(method.subject)}`]),
    ...(method.query.length === 0 ? [] : ['query: $query']),
    ...passed,
    ...passedOptions,
  ]
  return [
    `    public function ${name}(`,
    ...parameters.map((parameter) => `        ${parameter},`),
    `    ): ${answer} {`,
    `        return $this->${call}(`,
    ...all.map((argument) => `            ${argument},`),
    '        );',
    '    }',
  ]
}

const subjectParameter = ({ subject }: Method) => (subject === null ? [] : [`string $${subjectOf(subject)}`])
const queryParameter = ({ query }: Method) => (query.length === 0 ? [] : ['array $query = []'])

function bodyParameter({ body: fields }: Method): string[] {
  if (fields === null) return []
  return [
    fields.some(({ required }) => required) || fields.length > 1 ? 'array $fields' : 'array $fields = []',
  ]
}

function described(fields: readonly Field[]): string[] {
  const rows = fields.filter(({ description }) => description !== '')
  return rows.length === 0 ? [] : [...rows.map((field) => `- ${field.name}: ${field.description}`), '']
}

/** An array whose keys are known, as PHPStan, Psalm and PhpStorm read it. */
function shapeOf(name: string, fields: readonly Field[]): string[] {
  return [
    '@param array{',
    ...fields.map(({ name: field, type, required }) => {
      const text = sentType(type)
      return `  ${field}${required ? '' : '?'}: ${text}${required ? '' : '|null'},`
    }),
    `} $${name}`,
  ]
}

function sentType(type: Type): string {
  if (type.kind === 'map') return 'array<string, scalar|null>'
  // An object that is sent is an array.
  if (type.kind === 'list' && type.of.kind === 'model') return 'list<array<string, mixed>>'
  return typeText({ ...type, nullable: false })
}

function typeText(type: Type): string {
  const text = bareType(type)
  return type.nullable ? `${text}|null` : text
}

function bareType(type: Type): string {
  switch (type.kind) {
    case 'text':
      return 'string'
    case 'codes':
      return 'string|list<string>'
    case 'integer':
      return 'int'
    case 'boolean':
      return 'bool'
    case 'choice':
      return type.values.map((value) => `'${value}'`).join('|')
    case 'list':
      return type.of.kind === 'choice' ? `list<${bareType(type.of)}>` : `list<${typeText(type.of)}>`
    case 'map':
      return 'array<string, mixed>'
    case 'model':
      return type.name
    default:
      return 'mixed'
  }
}

/** `invoiceID` is `invoiceId`; the only path parameter that is no id is a currency. */
const subjectOf = (name: string) => name.replace(/ID$/, 'Id')
const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

function comment(lines: readonly string[], indent: number): string[] {
  const pad = ' '.repeat(indent)
  const safe = lines.map((line) => line.replaceAll('*/', '* /').trimEnd())
  const kept = safe.filter((line, at) => line !== '' || at < safe.length - 1)
  const rows = kept.flatMap((line) => {
    // The members of a shape stay on their lines.
    if (line.startsWith('  ')) return [line]
    return line.startsWith('@') ? [line] : wrapped(line, width - indent - 3)
  })
  return [`${pad}/**`, ...rows.map((row) => `${pad} * ${row}`.trimEnd()), `${pad} */`]
}
