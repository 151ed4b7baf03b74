import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'

type Esbuild = typeof import('esbuild')
export type Tools = { readonly esbuild: Esbuild; readonly svelte: typeof import('svelte/compiler') }

/** The same as in `tsconfig.json`, whichever is nearest. */
export const typescript = {
  tsconfigRaw: { compilerOptions: { target: 'esnext', verbatimModuleSyntax: true } },
} satisfies BuildOptions

/** Lets esbuild read Svelte components and `.svelte.ts` modules, for browsers or for the service. */
export function sveltePlugin({ esbuild, svelte }: Tools, generate: 'client' | 'server'): Plugin {
  return {
    name: 'svelte',
    setup(build) {
      // Our pages create no custom elements, but esbuild cannot know that.
      build.onLoad({ filter: /[/\\]svelte[/\\]src[/\\].*[/\\]custom-element\.js$/ }, () => ({
        contents: 'export const create_custom_element = undefined',
      }))
      // Svelte asks `esm-env` whether to warn and to check. esbuild notices too late that the answer is constant, and a
      // fifth of the script would be warnings. A defined constant is known from the beginning.
      const isClient = generate === 'client'
      build.initialOptions.define = {
        ...build.initialOptions.define,
        BROWSER: String(isClient),
        DEV: 'false',
        NODE: String(!isClient),
      }
      build.onLoad({ filter: /[/\\]node_modules[/\\]svelte[/\\]src[/\\].*\.js$/ }, async ({ path }) => ({
        contents: (await readFile(path, 'utf8')).replace(
          /^import \{ (?:BROWSER|DEV|NODE)(?:, (?:BROWSER|DEV|NODE))* \} from 'esm-env';$/m,
          '',
        ),
        resolveDir: dirname(path),
      }))
      build.onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        const made = svelte.compile(source, { filename: path, generate, runes: true, css: 'external' })
        if (made.css !== null) throw new Error(`${path} contains its own styles. Move them to src/styles.`)
        return { contents: made.js.code, warnings: made.warnings.map(told(path)) }
      })
      build.onLoad({ filter: /\.svelte\.ts$/ }, async ({ path }) => {
        const { code } = await esbuild.transform(await readFile(path, 'utf8'), {
          loader: 'ts',
          ...typescript,
        })
        const made = svelte.compileModule(code, { filename: path, generate })
        return { contents: made.js.code, warnings: made.warnings.map(told(path)) }
      })
    },
  }
}

function told(file: string) {
  return ({ message, start }: { message: string; start?: { line: number; column: number } | undefined }) => ({
    text: message,
    location: { file, line: start?.line ?? 1, column: start?.column ?? 0 },
  })
}
