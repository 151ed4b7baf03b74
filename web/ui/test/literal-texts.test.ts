import { join } from 'node:path'
import { parse } from 'svelte/compiler'
import { expect, it } from 'vitest'
import { nodesIn, readSources, type TreeNode } from './svelte-files.ts'

/** Every text that a person can read comes from the message files: a component has none of its own. */

/** What is no word of any language, or the same in all. */
const exceptions: Readonly<Record<string, string>> = {
  'dashboard/components/door.svelte: Sluice': 'Our name.',
  'dashboard/components/endpoint-figures.svelte: p95': 'The sign of a percentile.',
  'dashboard/components/menu.svelte: Sluice': 'Our name.',
  'dashboard/components/service-away.svelte: Sluice': 'Our name.',
  'dashboard/components/shortcuts-dialog.svelte: g': 'A key with this letter.',
  'dashboard/components/shortcuts-dialog.svelte: j': 'A key with this letter.',
  'dashboard/components/shortcuts-dialog.svelte: k': 'A key with this letter.',
  'dashboard/pages/settings.svelte: https://shop.example.com':
    'An address that stands for any other (RFC 2606).',
  'dashboard/pages/webhooks.svelte: p95': 'The sign of a percentile.',
}

/** The attributes of elements and components that are read, aloud or on the screen. */
const read = new Set(
  'aria-label aria-description aria-placeholder alt placeholder title label text hint under what action'.split(
    ' ',
  ),
)
const hasLetters = (text: unknown): text is string => typeof text === 'string' && /\p{L}/u.test(text)

/** The texts within markup, and those in what is shown of an expression. */
function textsIn(nodes: readonly TreeNode[]): string[] {
  const attributes = nodes.filter(({ type }) => type === 'Attribute' || type === 'StyleDirective')
  const unread = new Set(
    attributes.filter(({ name }) => !read.has(String(name))).flatMap(({ value }) => nodesIn(value)),
  )
  return nodes
    .filter((node) => !unread.has(node))
    .flatMap(({ type, data, expression }) =>
      type === 'Text' ? [data] : type === 'ExpressionTag' ? literalsOf(expression as TreeNode) : [],
    )
    .filter(hasLetters)
    .map((text) => text.trim())
}

/** The strings that may be what an expression is, not those that it only works with. */
function literalsOf(expression: TreeNode): unknown[] {
  const among = (...names: readonly string[]) =>
    names.flatMap((name) => literalsOf(expression[name] as TreeNode))
  switch (expression.type) {
    case 'Literal':
      return [expression.value]
    case 'TemplateLiteral':
      return (expression.quasis as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked)
    case 'ConditionalExpression':
      return among('consequent', 'alternate')
    case 'LogicalExpression':
      return expression.operator === '&&' ? among('right') : among('left', 'right')
    case 'BinaryExpression':
      return expression.operator === '+' ? among('left', 'right') : []
    default:
      return []
  }
}

it.each(['dashboard', 'checkout'])('no component of the %s holds a text of its own', async (part) => {
  const files = await readSources(join(import.meta.dirname, '../..', part, 'src'))
  expect(files.length).toBeGreaterThan(10)
  const found = files.flatMap(({ path, markup }) => textsIn(markup).map((text) => `${part}/${path}: ${text}`))
  const excepted = Object.keys(exceptions).filter((name) => name.startsWith(`${part}/`))
  expect([...new Set(found)].sort()).toEqual(excepted.sort())
})

it('finds a text wherever a component may hold one', () => {
  const texts = (markup: string) => textsIn(nodesIn(parse(markup, { modern: true }).fragment))
  expect(texts('<p class="some text">One <b>two</b> {t("three")} 4</p>')).toEqual(['One', 'two'])
  const label = '{wide ? "Two" : `' + '$' + '{n} three`}'
  expect(texts(`<input placeholder="One" aria-label=${label} type="text">`)).toEqual(['One', 'Two', 'three'])
  expect(texts('<p>{one === "one" && "Two"}{three ?? "Four"}{five + "Six"}</p>')).toEqual([
    'Two',
    'Four',
    'Six',
  ])
  expect(texts('{#if one}{"Two"}{:else}<Field label="Three" name="four" />{/if}')).toEqual(['Two', 'Three'])
})
