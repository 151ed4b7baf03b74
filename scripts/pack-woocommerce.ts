/** `npm run pack:woocommerce [FILE]`: writes the plugin for WooCommerce as an installable ZIP archive. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ofPackage, root } from './release/trees.ts'
import { woocommerceZip } from './release/woocommerce.ts'

const { version } = ofPackage('package.json')
const file = resolve(process.argv[2] ?? join(root, `tmp/sluice-for-woocommerce-${version}.zip`))
const zip = woocommerceZip()
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, zip)
console.log(`${createHash('sha256').update(zip).digest('hex')}  ${file}`)
