// Starts a Vendure with our plugin, as a shop would have it, and fills an empty database with what a shop needs at least.
const { bootstrap, DefaultSchedulerPlugin, LanguageCode, Logger } = require('@vendure/core')
const { populateInitialData } = require('@vendure/core/cli')
const { SluicePlugin } = require('@sluice/vendure')

const settings = JSON.parse(process.env.SHOP_SETTINGS)

bootstrap({
  apiOptions: {
    port: settings.port,
    hostname: '127.0.0.1',
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: 'bearer',
    superadminCredentials: { identifier: 'superadmin', password: settings.password },
    cookieOptions: { secret: settings.password },
    requireVerification: false,
  },
  dbConnectionOptions: { type: 'postgres', url: settings.databaseUrl, synchronize: true, logging: false },
  paymentOptions: { paymentMethodHandlers: [] },
  // There is no worker beside this process.
  schedulerOptions: { runTasksInWorkerOnly: false },
  plugins: [
    SluicePlugin.init(settings.sluice),
    DefaultSchedulerPlugin.init({ manualTriggerCheckInterval: 200 }),
  ],
}).then(async (app) => {
  await populateInitialData(app, {
    defaultLanguage: LanguageCode.en,
    defaultZone: 'Europe',
    countries: [{ code: 'DE', name: 'Germany', zone: 'Europe' }],
    taxRates: [{ name: 'Standard', percentage: 20 }],
    shippingMethods: [{ name: 'Post', price: 500 }],
    paymentMethods: [{ name: 'Crypto', handler: { code: 'sluice', arguments: [] } }],
    collections: [],
  })
  Logger.info('ready')
  process.send({ ready: true, cpu: process.cpuUsage() })
  process.on('message', async () => {
    process.send({ cpu: process.cpuUsage() })
    await app.close()
    process.exit(0)
  })
})
