import { eventNameValues } from '@sluice/web/values'

/** The events of resources: all but the test event, which a user sends on request. */
export const eventNames = eventNameValues.filter((name) => name !== 'webhook.test')
