import { expect, it } from 'vitest'
import { aboutInvoice } from '../src/about-invoice.ts'

const bare = { id: 'an id', external_id: null, description: null, metadata: null }

it('an invoice is called what the shop calls it, and says order, purpose and customer once each', () => {
  expect(aboutInvoice(bare)).toEqual({ title: 'an id', about: [] })
  expect(aboutInvoice({ ...bare, description: 'Two mugs' })).toEqual({ title: 'Two mugs', about: [] })
  expect(
    aboutInvoice({
      id: 'an id',
      external_id: 'cart_9f',
      description: 'Two mugs',
      metadata: { order_number: 1001, customer_email: 'grace@example.com', customer: '', gift: true },
    }),
  ).toEqual({ title: 'cart_9f', about: ['1001', 'Two mugs', 'grace@example.com'] })
  const same = { ...bare, external_id: '1001', metadata: { order: 1001, customer: { name: 'x' } as never } }
  expect(aboutInvoice(same)).toEqual({ title: '1001', about: [] })
})
