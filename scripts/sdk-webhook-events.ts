type Description = { paths: object; webhooks?: Record<string, { post?: { operationId?: string } }> }

/** The file that types each webhook of the contract by the name of its event, and lists the names at run time. */
export function sdkWebhookEvents({ webhooks = {} }: Description): string {
  const rows = Object.entries(webhooks).map(([name, { post }]) => {
    const id = post?.operationId
    if (id === undefined) throw new Error(`The webhook ${name} has no operationId.`)
    return { name, type: `${id.charAt(0).toUpperCase()}${id.slice(1)}WebhookPayload` }
  })
  return [
    '// This file is generated from the contract.',
    'import type {',
    ...rows.map(({ type }) => `  ${type},`),
    "} from '../contract.generated.ts'",
    '',
    '/** The webhook of each event, by its name. */',
    'export type WebhookEventOf = {',
    ...rows.map(({ name, type }) => `  '${name}': ${type}`),
    '}',
    '',
    '/** The names of the events that this version knows. */',
    'export type KnownEventName = keyof WebhookEventOf',
    '',
    '/** Any webhook that this version knows. `switch (event.event)` narrows `data` to the resource of the event. */',
    'export type WebhookEvent = WebhookEventOf[KnownEventName]',
    '',
    'export const eventNames: readonly KnownEventName[] = [',
    ...rows.map(({ name }) => `  '${name}',`),
    ']',
    '',
  ].join('\n')
}
