import { sql } from '../sql.ts'

/** A recursive query `busy`: the endpoints with something to deliver. It reads one row of each, however many there are. */
export const busyEndpoints = sql`busy as (
  (select endpoint_id from webhook_deliveries where status = 'pending' order by endpoint_id limit 1)
  union all
  select (select endpoint_id from webhook_deliveries as next
    where next.status = 'pending' and next.endpoint_id > busy.endpoint_id order by endpoint_id limit 1)
  from busy where busy.endpoint_id is not null
)`
