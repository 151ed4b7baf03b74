// A consumer in CommonJS.
const { createSluice } = require('@sluice/sdk')

exports.shop = async (/** @type {string} */ origin) => {
  const sluice = createSluice({ baseUrl: `${origin}/api` })
  return (await sluice.rates.list()).data
}
