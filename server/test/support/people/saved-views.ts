import type { Answer } from '../shop/contract.ts'
import type { DashboardClient } from './dashboard-client.ts'

/** What a member sends to save a view; under another name each time. */
export const viewRequest = () => ({
  list: 'invoices',
  name: crypto.randomUUID(),
  query: 'status=paid',
  is_shared: false,
})

/** For each operation that changes saved views: prepares what it needs, and returns the one call. */
export function viewStories(of: () => { client: DashboardClient; merchantID: string }) {
  const save = () => {
    const { client, merchantID } = of()
    return client.call('createSavedView', { path: { merchantID }, body: viewRequest() })
  }
  const change = async (id: string, body?: object): Promise<() => Promise<Answer>> => {
    const { client, merchantID } = of()
    const path = { merchantID, viewID: (await save()).body.data.id }
    return () => client.call(id, { path, body })
  }
  return {
    createSavedView: async () => save,
    updateSavedView: () => change('updateSavedView', { query: 'status=expired' }),
    deleteSavedView: () => change('deleteSavedView'),
  }
}
