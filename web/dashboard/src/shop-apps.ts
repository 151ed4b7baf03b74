// Names of products: the same in every language.
const names: Readonly<Record<string, string>> = {
  woocommerce: 'WooCommerce',
  medusa: 'Medusa',
  vendure: 'Vendure',
}

/** What a shop's program is called. */
export function shopAppName(app: string): string {
  return names[app] ?? app
}
