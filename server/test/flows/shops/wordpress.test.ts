import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { woocommerceZip } from '../../../../scripts/release/woocommerce.ts'
import { type DashboardClient, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { describeWordpress, startWordpress, type Wordpress } from '../../support/servers/wordpress.ts'
import { fieldsOf, linkIn, type WordpressPerson } from '../../support/servers/wordpress-person.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../../support/shop/shop.ts'

/**
 * The plugin for WooCommerce in a real WordPress on MariaDB: uploaded, activated, connected, used, attacked and deleted over
 * HTTP, through WordPress's own pages. WooCommerce itself is a stand-in.
 */

const slug = 'sluice-for-woocommerce'
const pluginFile = `${slug}/${slug}.php`
const settingsPage = '/wp-admin/admin.php?page=wc-settings&tab=checkout&section=sluice'
const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'

describeWordpress(() => {
  let service: TestService
  let wordpress: Wordpress
  let payer: Shop
  let owner: DashboardClient
  let admin: WordpressPerson
  let manager: WordpressPerson
  let customer: WordpressPerson
  let stranger: WordpressPerson
  beforeAll(async () => {
    service = await startTestService(quiet)
    wordpress = await startWordpress()
    payer = await openShop(service)
    owner = await signedIn(
      service,
      await makePerson(service, { merchantId: payer.merchantId, role: 'owner' }),
    )
    admin = await wordpress.person('admin')
    manager = await wordpress.person('manager')
    customer = await wordpress.person('customer')
    stranger = await wordpress.person(null)
  })
  afterAll(async () => {
    await wordpress?.stop()
    await service.stop()
  })

  const here = () => ({ merchantID: payer.merchantId, environment: 'test' })
  const option = async (name: string) =>
    (await wordpress.sql(`select option_value, autoload from wp_options where option_name = '${name}'`))[0]
  const attempts = () => wordpress.sql(`select user_id from wp_usermeta where meta_key = '_sluice_pairing'`)
  const outcome = (location: string | null) => new URL(location ?? '').searchParams.get('sluice')
  const form = async (person = manager) => fieldsOf(await person.open(settingsPage), 'sluice-connection')
  const submit = (fields: Record<string, string>, person = manager) =>
    person.post('/wp-admin/admin-post.php', fields)

  /** What the shop asks Sluice for, once its manager has pressed “Connect”. */
  async function begin(): Promise<Record<string, string>> {
    const { status, location } = await submit({ ...(await form()), sluice_url: `${service.url}/` })
    expect(status).toBe(302)
    const to = new URL(location ?? '')
    expect(`${to.origin}${to.pathname}`).toBe(`${service.url}/dashboard/connect`)
    return Object.fromEntries(to.searchParams)
  }
  async function connect(): Promise<Record<string, string>> {
    const request = await begin()
    const allowed = await owner.call('allowShop', { path: here(), body: request })
    const back = await manager.open(allowed.body.data.redirect_to)
    expect(outcome(back.location)).toBe('connected')
    return request
  }

  /** No webhook reaches the shop any more. */
  async function silence(): Promise<void> {
    for (const { id } of (await owner.call('listWebhookEndpoints', { path: here() })).body.data)
      await owner.call('deleteWebhookEndpoint', { path: { ...here(), endpointID: id } })
  }
  /** With an endpoint again, after a test has deleted it. */
  async function reconnect(): Promise<void> {
    expect(outcome((await submit(await form())).location)).toBe('forgotten')
    await connect()
  }

  let orders = 1000
  const order = (id: number): Promise<Row> => wordpress.rest('test/v1/order', { id })
  const becomes = (id: number, status: string) =>
    expect.poll(async () => (await order(id)).status).toBe(status)
  const notes = async (id: number) => (await order(id)).notes.join('\n')
  const orderPage = (id: number) => `/wp-admin/admin.php?page=wc-orders&action=edit&id=${id}`
  async function ordered(): Promise<{ id: number; invoice: Row }> {
    orders += 1
    const id = orders
    await wordpress.rest('test/v1/create', { id, total: '49.90', currency: 'EUR', key: `k${id}` })
    const { result, redirect } = await wordpress.rest('wc/store/v1/checkout', { id })
    expect([result, redirect]).toEqual(['success', expect.stringContaining(`${service.url}/pay/`)])
    const { body } = await payer.expect(200, 'listInvoices', { query: { external_id: String(id) } })
    const path = { invoiceID: body.data[0].id }
    const live = await payer.expect(200, 'activateTestInvoice', { path, json: { currency: 'BTC' } })
    return { id, invoice: live.body.data }
  }
  async function paid(): Promise<{ id: number; invoice: Row }> {
    const made = await ordered()
    await payer.pay(made.invoice, made.invoice.amount)
    await payer.mine(2)
    await becomes(made.id, 'processing')
    return made
  }

  it('WordPress takes the packed plugin, activates it, and shows it among its plugins', async () => {
    expect(wordpress.version).toMatch(/^6\.1/)
    const upload = new FormData()
    const page = await admin.open('/wp-admin/plugin-install.php?tab=upload')
    const nonce = /name="_wpnonce" value="(\w+)"/.exec(page.html)?.[1] ?? ''
    upload.set('_wpnonce', nonce)
    upload.set('pluginzip', new Blob([woocommerceZip()]), `${slug}.zip`)
    const uploaded = await admin.post('/wp-admin/update.php?action=upload-plugin', upload)
    expect(uploaded.html).toContain('Plugin installed successfully.')
    const activated = await admin.open(linkIn(uploaded, 'action=activate', encodeURIComponent(slug)))
    expect(activated.location).toContain('activate=true')
    const { html } = await admin.open('/wp-admin/plugins.php')
    expect(html).toMatch(
      new RegExp(`<tr class="active[^"]*" data-slug="${slug}" data-plugin="${pluginFile}"`),
    )
    expect((await option('active_plugins'))?.option_value).toContain(pluginFile)
  })

  it('the payment method is set up on WooCommerce’s page, and is not offered before it is connected', async () => {
    const page = await manager.open(settingsPage)
    expect(page.html).toContain('Address of Sluice')
    await manager.post(settingsPage, {
      ...fieldsOf(page, 'mainform'),
      woocommerce_sluice_enabled: '1',
      woocommerce_sluice_title: 'Bitcoin & more',
    })
    expect((await option('woocommerce_sluice_settings'))?.option_value).toContain('Bitcoin &amp; more')
    await wordpress.rest('test/v1/create', { id: 1, total: '5.00', currency: 'EUR', key: 'k1' })
    expect(await wordpress.rest('wc/store/v1/checkout', { id: 1 })).toEqual({ result: 'unavailable' })
    const { methods, declared } = await wordpress.rest('test/v1/checkout-block')
    expect(methods).toMatchObject([{ name: 'sluice', active: false, data: { title: 'Bitcoin &amp; more' } }])
    expect(declared).toEqual([`custom_order_tables ${pluginFile}`, `cart_checkout_blocks ${pluginFile}`])
    const script = await stranger.open(methods[0].scripts[0])
    expect([methods[0].scripts[0], script.status]).toEqual([
      `${wordpress.url}/wp-content/plugins/${slug}/assets/blocks.js`,
      200,
    ])
  })

  it('connects only for a manager who comes from the settings page', async () => {
    const fields = { ...(await form()), sluice_url: service.url }
    // Not the customer: neither with the manager's nonce nor without one.
    expect((await customer.open(settingsPage)).status).toBe(403)
    for (const person of [customer, stranger]) {
      await submit(fields, person)
      await submit({ action: 'sluice_connect', sluice_url: service.url }, person)
      await person.open('/wp-admin/admin-post.php?action=sluice_connected&state=x&code=y')
    }
    expect((await submit(fields, customer)).status).toBe(403)
    expect((await customer.open('/wp-admin/admin-post.php?action=sluice_connected')).status).toBe(403)
    // Not a stranger's page that makes the manager's browser send it: without a nonce, or with another one.
    for (const _wpnonce of [
      '',
      'wrong',
      fieldsOf(await manager.open(settingsPage), 'mainform')._wpnonce ?? '',
    ])
      expect((await submit({ ...fields, _wpnonce })).status).toBe(403)
    expect((await submit({ ...(await form(admin)), sluice_url: service.url })).status).toBe(403)
    expect(await attempts()).toEqual([])
    expect(outcome((await submit({ ...fields, sluice_url: 'http://pay.example.com' })).location)).toBe(
      'bad_url',
    )
    expect(outcome((await submit({ ...fields, sluice_url: `it's "\\` })).location)).toBe('bad_url')
    expect(await attempts()).toEqual([])
  })

  it('takes no code but its own person’s, once', async () => {
    const request = await begin()
    expect(await attempts()).toHaveLength(1)
    const { redirect_to: back } = (await owner.call('allowShop', { path: here(), body: request })).body.data
    expect(outcome((await admin.open(back)).location)).toBe('stale')
    expect(outcome((await manager.open(`${back}x`.replace(/state=[^&]+/, 'state[]=1'))).location)).toBe(
      'stale',
    )
    expect(outcome((await manager.open(back)).location)).toBe('stale')
    expect(await attempts()).toEqual([])
    expect(await option('sluice_connection')).toBeUndefined()
  })

  it('connects by one click, loads its secrets with no page and shows them on none', async () => {
    const request = await connect()
    expect(request).toMatchObject({
      name: 'Blue & Bottle',
      return: `${wordpress.url}/wp-admin/admin-post.php?action=sluice_connected`,
      webhook: `${wordpress.url}/wc-api/sluice/`,
    })
    const kept = await option('sluice_connection')
    expect(kept?.autoload).toBe('no')
    const secrets = kept?.option_value.match(/sk_test_\w+|whsec_[\w+/=]+/g) ?? []
    expect(secrets).toHaveLength(2)
    const { html } = await manager.open(`${settingsPage}&sluice=connected`)
    expect(html).toContain('The shop is connected.')
    expect(html).toContain(`<code>sk_test_…${secrets[0].slice(-4)}</code>`)
    for (const secret of secrets) expect(html).not.toContain(secret)
    const { methods } = await wordpress.rest('test/v1/checkout-block')
    expect(methods).toMatchObject([{ active: true }])
  })

  it('an order is paid by the webhooks that reach WordPress, and by the payer’s return', async () => {
    const { id, invoice } = await ordered()
    await payer.pay(invoice, invoice.amount)
    await becomes(id, 'on-hold')
    await payer.mine(2)
    await becomes(id, 'processing')
    expect(await order(id)).toMatchObject({ completed: 1, transaction_id: invoice.id })
    const other = await ordered()
    await silence()
    await payer.pay(other.invoice, other.invoice.amount)
    await payer.mine(2)
    expect((await order(other.id)).status).toBe('pending')
    const back = new URL((await payer.get(other.invoice)).redirect_url)
    expect((await stranger.open(back.href.replace('key=', 'key=x'))).html).not.toContain('Thank you')
    expect((await order(other.id)).status).toBe('pending')
    expect((await stranger.open(back.href)).html).toContain('Thank you')
    expect((await order(other.id)).status).toBe('processing')
    await reconnect()
  })

  it('a webhook waits while another process works on its order', async () => {
    const { id, invoice } = await ordered()
    const lock = createHash('sha256').update(`wp_wordpress sluice ${id}`).digest('hex').slice(0, 60)
    const held = await wordpress.hold(lock)
    await payer.pay(invoice, invoice.amount)
    await expect
      .poll(() => wordpress.sql(`select info from information_schema.processlist where state = 'User lock'`))
      .toEqual([{ info: expect.stringContaining(lock) }])
    expect(await order(id)).toMatchObject({ status: 'pending', notes: [] })
    await held.release()
    await becomes(id, 'on-hold')
  })

  it('a forged webhook is refused, and a replayed or lying one changes nothing', async () => {
    const { id, invoice } = await ordered()
    const kept = (await option('sluice_connection'))?.option_value ?? ''
    const [secret = ''] = /whsec_[\w+/=]+/.exec(kept) ?? []
    const text = JSON.stringify({
      id: 'evt_1',
      event: 'invoice.paid',
      created_at: new Date().toISOString(),
      environment: 'test',
      data: { ...invoice, status: 'paid', amount_paid: invoice.amount },
    })
    const deliver = async (by: string, body = text, at = new Date()) => {
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(by).sign('evt_1', at, text),
      }
      const answer = await fetch(`${wordpress.url}/wc-api/sluice/`, { method: 'POST', body, headers })
      return [answer.status, await answer.text(), answer.headers.get('cache-control')?.includes('no-cache')]
    }
    const forger = `whsec_${Buffer.alloc(32).toString('base64')}`
    expect(await deliver(forger)).toEqual([400, '', true])
    expect(await deliver(secret, `${text} `)).toEqual([400, '', true])
    expect(await deliver(secret, text, new Date(Date.now() - 360_000))).toEqual([400, '', true])
    for (const _ of [1, 2]) expect(await deliver(secret)).toEqual([204, '', true])
    expect((await stranger.open('/wc-api/sluice/')).status).toBe(400)
    expect(await order(id)).toMatchObject({ status: 'pending', completed: 0, notes: [] })
  })

  it('a refund needs the address, entered by staff on the order’s page', async () => {
    const { id, invoice } = await paid()
    const refund = async (person: WordpressPerson) => {
      const security = /data-nonce="(\w+)"/.exec((await person.open(orderPage(id))).html)?.[1] ?? ''
      const ajax = {
        action: 'woocommerce_refund_line_items',
        ...{ order_id: String(id), refund_amount: '24.95', refund_reason: `It's "broken"`, security },
      }
      return person.post('/wp-admin/admin-ajax.php', ajax)
    }
    expect((await customer.open(orderPage(id))).status).toBe(403)
    expect((await refund(manager)).html).toContain('Ask the customer where to send the refund')
    const save = async (entered: string, more = {}) => {
      const fields = fieldsOf(await manager.open(orderPage(id)), 'order')
      return manager.post(orderPage(id), { ...fields, _sluice_refund_address: entered, ...more })
    }
    await save('tb1qthief', { sluice_refund_nonce: 'wrong' })
    expect((await order(id)).meta._sluice_refund_address).toBeUndefined()
    const { html } = await save(`"'><script>alert(1)</script>`)
    expect(html).toContain('name="_sluice_refund_address" value="&quot;&#039;&gt;"')
    expect((await refund(manager)).html).toContain('"success":false')
    await save(` ${address} `)
    expect((await refund(manager)).html).toBe('{"success":true}')
    const [made] = (await payer.expect(200, 'listRefunds')).body.data
    expect(made).toMatchObject({ destination: address, invoice_id: invoice.id, description: `It's "broken"` })
    await payer.expect(200, 'approveTestPayout', { path: { payoutID: made.payout_id } })
    await expect
      .poll(async () => {
        await payer.mine(1)
        return notes(id)
      })
      .toContain('is confirmed on the blockchain')
  })

  it('staff asks Sluice for the payment by an action of the order', async () => {
    const { id, invoice } = await ordered()
    await silence()
    await payer.pay(invoice, invoice.amount)
    await payer.mine(2)
    const page = await manager.open(orderPage(id))
    expect(page.html).toContain('<option value="sluice_refresh">Ask Sluice for the payment</option>')
    await manager.post(orderPage(id), { ...fieldsOf(page, 'order'), wc_order_action: 'sluice_refresh' })
    expect((await order(id)).status).toBe('processing')
    await reconnect()
  })

  it('forgets its connection only for a manager with the nonce', async () => {
    const fields = await form()
    expect(fields.action).toBe('sluice_forget')
    expect((await submit(fields, customer)).status).toBe(403)
    expect((await submit({ ...fields, _wpnonce: '' })).status).toBe(403)
    expect(await option('sluice_connection')).toBeDefined()
    expect(outcome((await submit(fields)).location)).toBe('forgotten')
    expect(await option('sluice_connection')).toBeUndefined()
    const deliver = await fetch(`${wordpress.url}/wc-api/sluice/`, { method: 'POST', body: '{}' })
    expect(deliver.status).toBe(503)
    await connect()
  })

  it('deleting the plugin leaves nothing of it but the orders’ books', async () => {
    const { id } = await paid()
    // What an attempt to connect left behind.
    await wordpress.sql(
      `insert into wp_usermeta (user_id, meta_key, meta_value) values (2, '_sluice_pairing', 'x')`,
    )
    const deactivate = linkIn(
      await admin.open('/wp-admin/plugins.php'),
      'action=deactivate',
      encodeURIComponent(slug),
    )
    expect((await admin.open(deactivate)).location).toContain('deactivate=true')
    expect(await option('sluice_connection')).toBeDefined()
    const list = await admin.open('/wp-admin/plugins.php')
    const [, nonce = ''] = /"ajax_nonce":"(\w+)"/.exec(list.html) ?? []
    const gone = await admin.post('/wp-admin/admin-ajax.php', {
      ...{ action: 'delete-plugin', plugin: pluginFile, slug, _ajax_nonce: nonce },
    })
    expect(JSON.parse(gone.html)).toMatchObject({ success: true, data: { plugin: pluginFile } })
    expect(existsSync(join(wordpress.plugins, slug))).toBe(false)
    const left = [
      ...(await wordpress.sql(`select option_name from wp_options where option_name like '%sluice%'`)),
      ...(await wordpress.sql(
        `select option_name from wp_options where option_value regexp 'sk_test_|whsec_|sluice_'`,
      )),
      ...(await wordpress.sql(
        `select meta_key from wp_usermeta where meta_key like '%sluice%' or meta_value like '%sluice%'`,
      )),
    ]
    expect(left).toEqual([])
    expect((await order(id)).meta._sluice_invoices).toHaveLength(1)
  })

  it('PHP complained about nothing of the plugin meanwhile', () => {
    expect(
      wordpress
        .complaints()
        .split('\n')
        .filter((line) => /sluice/i.test(line)),
    ).toEqual([])
  })
})
