import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { parse } from 'svelte/compiler'

/** A node of the tree that Svelte's compiler reads from a source: of markup, or of script (ESTree). */
export type TreeNode = Readonly<Record<string, unknown>> & {
  readonly type: string
  readonly start: number
  readonly end: number
}

export type SourceFile = {
  /** Its name without the folders, and without what says its kind: `key-dialog`. */
  readonly name: string
  /** Where it is below the folder that was read. */
  readonly path: string
  readonly source: string
  /** What a component renders. */
  readonly markup: readonly TreeNode[]
  readonly script: readonly TreeNode[]
}

/** Every component below a folder, and every other source if wanted. */
export async function readSources(
  folder: string,
  kinds: readonly string[] = ['.svelte'],
): Promise<SourceFile[]> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => kinds.includes(extname(path)))
  return Promise.all(
    paths.sort().map(async (path) => {
      const text = await readFile(join(folder, path), 'utf8')
      const source = path.endsWith('.svelte') ? text : `<script lang="ts">\n${text}</script>`
      const { fragment, instance, module } = parse(source, { modern: true, filename: path })
      const name = basename(path).replace(/(\.svelte)?\.ts$|\.svelte$/, '')
      return { name, path, source, markup: nodesIn(fragment), script: nodesIn([instance, module]) }
    }),
  )
}

/** All nodes of a tree, each before those within it. */
export function nodesIn(tree: unknown): TreeNode[] {
  if (Array.isArray(tree)) return tree.flatMap(nodesIn)
  if (tree === null || typeof tree !== 'object') return []
  const within = Object.values(tree).flatMap(nodesIn)
  return 'type' in tree && 'start' in tree ? [tree as TreeNode, ...within] : within
}

/** The source of a node. */
export const textOf = ({ source }: SourceFile, { start, end }: TreeNode): string => source.slice(start, end)
