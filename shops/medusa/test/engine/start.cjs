// Starts a Medusa with our provider, as a shop would have it, and fills an empty database with what a shop needs at least.
const { MedusaModule } = require('@medusajs/framework/modules-sdk')
const express = require('express')
const { initializeContainer, default: load } = require('@medusajs/medusa/loaders/index')
const { migrate } = require('@medusajs/medusa/commands/db/migrate')
const {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
} = require('@medusajs/medusa/core-flows')

const settings = JSON.parse(process.env.SHOP_SETTINGS)
const directory = __dirname

start()

async function start() {
  const container = await initializeContainer(directory)
  const logger = container.resolve('logger')
  await migrate({ directory, executeSafeLinks: true, skipScripts: true, skipSearch: true, logger, container })
  // Migrating loads the modules in part.
  MedusaModule.clearInstances()
  const expressApp = express()
  const app = await load({ directory, expressApp })
  const facts = await stock(app.container)
  const server = expressApp.listen(settings.port, '127.0.0.1', () => {
    process.send({ ready: true, facts, cpu: process.cpuUsage() })
  })
  process.on('message', async () => {
    process.send({ cpu: process.cpuUsage() })
    server.close()
    await app.shutdown()
    process.exit(0)
  })
}

/** A region, and a product that needs no shipping. */
async function stock(container) {
  const run = async (workflow, input) => (await workflow(container).run({ input })).result
  const region = (currency_code, countries) =>
    run(createRegionsWorkflow, {
      regions: [{ name: countries[0], currency_code, countries, payment_providers: ['pp_sluice_sluice'] }],
    })
  const [germany] = await region('eur', ['de'])
  const [japan] = await region('jpy', ['jp'])
  const [channel] = await run(createSalesChannelsWorkflow, { salesChannelsData: [{ name: 'Web' }] })
  const keys = await run(createApiKeysWorkflow, {
    api_keys: [
      { title: 'Storefront', type: 'publishable', created_by: '' },
      { title: 'Staff', type: 'secret', created_by: 'staff' },
    ],
  })
  const publishable = keys.find(({ type }) => type === 'publishable')
  await run(linkSalesChannelsToApiKeyWorkflow, { id: publishable.id, add: [channel.id] })
  const [product] = await run(createProductsWorkflow, {
    products: [
      {
        title: 'Course',
        status: 'published',
        options: [{ title: 'Kind', values: ['One'] }],
        sales_channels: [{ id: channel.id }],
        variants: [
          {
            title: 'One',
            options: { Kind: 'One' },
            manage_inventory: false,
            prices: [
              { currency_code: 'eur', amount: 12.34 },
              // As tax makes them.
              { currency_code: 'jpy', amount: 1500.5 },
            ],
          },
        ],
      },
    ],
  })
  return {
    regions: { eur: germany.id, jpy: japan.id },
    publishableKey: publishable.token,
    secretKey: keys.find(({ type }) => type === 'secret').token,
    variantId: product.variants[0].id,
  }
}
