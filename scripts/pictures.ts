/**
 * Takes pictures of every page, with some weeks of a shop's business in it, to be looked at:
 *
 * npm run pictures -- [--only overview,payouts] [--languages en,de] [--out tmp/pictures] [--docs]
 *
 * Each page on a desktop and a phone, in light and dark. --docs also renews the few in docs/pictures/. It starts a
 * service of its own and leaves nothing running.
 */
import { copyFile, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openBrowser } from '../server/test/support/browser/browser.ts'
import { forDocs } from './pictures/for-docs.ts'
import { pageNames, placesOf } from './pictures/places.ts'
import { openShop } from './pictures/shop.ts'
import { isLanguage, languages, openWindows, takePictures, variants } from './pictures/take-pictures.ts'

const root = join(import.meta.dirname, '..')
const usage = `npm run pictures -- [--only ${pageNames.slice(0, 2).join(',')}] [--languages ${languages.join(',')}] [--out tmp/pictures] [--docs]

The pages: ${pageNames.join(', ')}.`
const say = (line: string) => console.log(line)
const parts = (text: string) => text.split(',').filter(Boolean)

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: pageNames.join(',') },
    languages: { type: 'string', default: 'en,de' },
    out: { type: 'string', default: join(root, 'tmp/pictures') },
    docs: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const only = parts(values.only)
const chosen = parts(values.languages).filter(isLanguage)
const unknown = only.filter((name) => !pageNames.some((known) => known === name))
if (values.help || unknown.length > 0 || chosen.length !== parts(values.languages).length) {
  if (unknown.length > 0) say(`There is no page called ${unknown.join(', ')}.\n`)
  say(usage)
  process.exit(values.help ? 0 : 1)
}

const out = resolve(values.out)
await mkdir(out, { recursive: true })
say('Starting a service, and playing four weeks of a shop: about two minutes.')
const shop = await openShop(say)
try {
  const browser = await openBrowser()
  try {
    const [{ url }, windows, all] = [shop, await openWindows(browser, shop), await placesOf(shop)]
    const places = all.filter(({ name }) => only.includes(name))
    const pictures = places.length * variants.length * chosen.length
    say(`Taking ${pictures} pictures of ${places.length} pages.`)
    const faults = await takePictures({ url, windows, places, languages: chosen, out, say })
    if (values.docs) {
      const taken = await forDocs({ url, windows, places: all, out })
      for (const name of taken) await copyFile(join(out, name), join(root, 'docs/pictures', name))
      say(`Renewed in docs/pictures/: ${taken.join(', ')}. Look at them before they are committed.`)
    }
    say(`The pictures are in ${out}.`)
    if (faults.length > 0) {
      say(`${faults.length} pages complained:\n${faults.join('\n')}`)
      process.exitCode = 1
    }
  } finally {
    await browser.close()
  }
} finally {
  await shop.close()
}
