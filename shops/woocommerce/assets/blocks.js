// The payment method in WooCommerce's checkout block. Plain JavaScript: it needs no build.
;(() => {
  const { registerPaymentMethod } = window.wc.wcBlocksRegistry
  const { getSetting } = window.wc.wcSettings
  const { createElement } = window.wp.element
  const { decodeEntities } = window.wp.htmlEntities
  const settings = getSetting('sluice_data', {})
  const title = decodeEntities(settings.title || '')
  const Description = () => decodeEntities(settings.description || '')
  registerPaymentMethod({
    name: 'sluice',
    label: createElement('span', null, title),
    ariaLabel: title,
    content: createElement(Description),
    edit: createElement(Description),
    canMakePayment: () => true,
    supports: { features: settings.supports || ['products'] },
  })
})()
