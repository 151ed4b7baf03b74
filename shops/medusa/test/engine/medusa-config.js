// What a shop's own medusa-config.ts says.
const { defineConfig } = require('@medusajs/framework/utils')

const settings = JSON.parse(process.env.SHOP_SETTINGS)

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: settings.databaseUrl,
    databaseDriverOptions: { connection: { ssl: false } },
    http: {
      storeCors: '*',
      adminCors: '*',
      authCors: '*',
      jwtSecret: settings.password,
      cookieSecret: settings.password,
    },
  },
  admin: { disable: true },
  plugins: [{ resolve: '@sluice/medusa', options: {} }],
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [{ resolve: '@sluice/medusa/providers/sluice', id: 'sluice', options: settings.sluice }],
      },
    },
  ],
})
