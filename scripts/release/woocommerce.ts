import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn, ofPackage, root } from './trees.ts'
import { type ZipEntry, zipped } from './zip.ts'

const slug = 'sluice-for-woocommerce'
const own = join(root, 'shops/woocommerce')
const client = join(root, 'clients/php')

/** What the plugin for WooCommerce ships: its own files, the client for PHP, and a template for translators. */
export function woocommerceFiles(): ZipEntry[] {
  const plugin = filesIn(own)
    .filter((name) => !name.startsWith('test/') && name !== 'README.md')
    .map((name) => ({ name, contents: readFileSync(join(own, name)) }))
  const vendored = ['autoload.php', 'LICENSE', ...filesIn(join(client, 'src')).map((name) => `src/${name}`)]
  const { version } = ofPackage('package.json')
  const template = {
    name: `languages/${slug}.pot`,
    contents: Buffer.from(translationTemplate(plugin, version)),
  }
  return [
    ...plugin,
    ...vendored.map((name) => ({
      name: `vendor/sluice/${name}`,
      contents: readFileSync(join(client, name)),
    })),
    template,
  ]
}

/** The plugin as WordPress installs it. The same sources make the same bytes. */
export function woocommerceZip(): Buffer {
  return zipped(woocommerceFiles().map(({ name, contents }) => ({ name: `${slug}/${name}`, contents })))
}

// A text is one literal in single quotes, so that it can be read without running PHP.
const call = new RegExp(
  `(?:/\\* (translators: [^*]+) \\*/\\s*)?(?:esc_html)?__\\(\\s*'((?:[^'\\\\]|\\\\.)*)',\\s*'${slug}',?\\s*\\)`,
  'g',
)

/** All texts of the plugin as a gettext template. */
export function translationTemplate(files: readonly ZipEntry[], version: string): string {
  const texts = new Map<string, { places: string[]; note: string | undefined }>()
  for (const { name, contents } of files.filter((file) => file.name.endsWith('.php')))
    for (const [, note, quoted = ''] of contents.toString().matchAll(call)) {
      const text = quoted.replaceAll(/\\(.)/g, '$1')
      const known = texts.get(text) ?? { places: [], note }
      texts.set(text, { ...known, places: [...known.places, name] })
    }
  const head = [
    'msgid ""',
    'msgstr ""',
    `"Project-Id-Version: Sluice for WooCommerce ${version}\\n"`,
    '"MIME-Version: 1.0\\n"',
    '"Content-Type: text/plain; charset=UTF-8\\n"',
    '"Content-Transfer-Encoding: 8bit\\n"',
    `"X-Domain: ${slug}\\n"`,
  ].join('\n')
  const entries = [...texts].map(([text, { places, note }]) =>
    [
      ...(note === undefined ? [] : [`#. ${note}`]),
      `#: ${[...new Set(places)].join(' ')}`,
      `msgid ${JSON.stringify(text)}`,
      'msgstr ""',
    ].join('\n'),
  )
  return `${[head, ...entries].join('\n\n')}\n`
}
