import { join } from 'node:path'
import { readSources, type SourceFile, type TreeNode, textOf } from '../../../../web/ui/test/svelte-files.ts'

const folder = join(import.meta.dirname, '../../../../web/dashboard/src')
const askers = ['confirm', 'discard', 'proveFor']

/**
 * Every dialog of the dashboard, as its source has it: `keys asks t('revoke_key')` is a question with that title, and
 * `key-dialog shows t('new_key')` a dialog of its own. Templates are without their signs.
 */
export async function dialogsInSource(): Promise<string[]> {
  const files = await readSources(folder, ['.svelte', '.ts'])
  const found = files.flatMap((file) => [
    ...file.markup.filter(isDialog).map((node) => `${file.name} shows ${titleOfElement(file, node)}`),
    ...file.script.flatMap((node) => {
      const title = titleOfQuestion(file, node)
      return title === null ? [] : [`${file.name} asks ${title}`]
    }),
  ])
  return [...new Set(found)].map((name) => name.replaceAll('`', '').replaceAll('${', '{')).sort()
}

/** The dialogs with fields that would drop what was typed without asking. */
export async function forgetfulDialogs(): Promise<string[]> {
  const files = await readSources(folder, ['.svelte'])
  return files
    .flatMap((file) =>
      file.markup.filter(isDialog).map((node) => ({ name: file.name, source: textOf(file, node) })),
    )
    .filter(({ source }) => source.includes('<Field') && !/^<Dialog [^\n]* filled=\{/.test(source))
    .map(({ name }) => name)
    .sort()
}

const isDialog = ({ type, name }: TreeNode) =>
  (type === 'Component' && name === 'Dialog') || (type === 'RegularElement' && name === 'dialog')

function titleOfElement(file: SourceFile, { attributes }: TreeNode): string {
  const named = (attributes as readonly TreeNode[]).find(({ name }) =>
    ['title', 'aria-label', 'aria-labelledby'].includes(String(name)),
  )
  if (named === undefined) return 'no title'
  const value = named.value as TreeNode | readonly TreeNode[]
  return 'type' in value && value.type === 'ExpressionTag'
    ? textOf(file, value.expression as TreeNode)
    : textOf(file, named)
}

/** The title of the question that a call asks; null if it is no such call. */
function titleOfQuestion(file: SourceFile, node: TreeNode): string | null {
  if (node.type !== 'CallExpression') return null
  const callee = node.callee as TreeNode
  const method = callee.property as TreeNode | undefined
  if (callee.type !== 'MemberExpression' || !askers.includes(String(method?.name))) return null
  const given = node.arguments as readonly { properties?: readonly TreeNode[] }[]
  const title = given
    .flatMap(({ properties = [] }) => properties)
    .find(({ key }) => (key as TreeNode | undefined)?.name === 'title')
  return title === undefined ? null : textOf(file, title.value as TreeNode)
}
