import { eventNameValues } from '@sluice/web/values'

/** The events that happen by themselves: all but the one that somebody sends to see whether an endpoint works. */
export const eventNames = eventNameValues.filter((name) => name !== 'webhook.test')
