import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'

type Esbuild = typeof import('esbuild')
export type Tools = { readonly esbuild: Esbuild; readonly svelte: typeof import('svelte/compiler') }

/** As `tsconfig.json` has it, whichever of them lies nearest. */
export const typescript = {
  tsconfigRaw: { compilerOptions: { target: 'esnext', verbatimModuleSyntax: true } },
} satisfies BuildOptions

/** Lets esbuild read Svelte's components and its `.svelte.ts` modules, for browsers or for the service. */
export function sveltePlugin({ esbuild, svelte }: Tools, generate: 'client' | 'server'): Plugin {
  return {
    name: 'svelte',
    setup(build) {
      // No page of ours makes custom elements, and esbuild does not see that.
      build.onLoad({ filter: /[/\\]svelte[/\\]src[/\\].*[/\\]custom-element\.js$/ }, () => ({
        contents: 'export const create_custom_element = undefined',
      }))
      // Svelte asks `esm-env` whether to warn and to check. esbuild sees only too late that the answer is always the same, and a
      // fifth of the script would be warnings. What is defined is known from the beginning.
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
        if (made.css !== null) throw new Error(`${path} has styles of its own. They belong in src/styles.`)
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
