import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockedPackages, packageFiles } from './package-files.ts'
import { copyTo, layTree, ofPackage, root } from './trees.ts'

/** Lays out the archive for `npm ci && npx sluice start`: the service's tree, with what an operator needs to run it. */
export async function layArchive(folder: string): Promise<void> {
  await layTree('sluice', folder)
  // npm brings the packages.
  rmSync(join(folder, 'node_modules'), { recursive: true })
  for (const path of ['.npmrc', 'README.md', 'CHANGELOG.md', 'docs', 'deploy']) copyTo(folder, path)
  for (const [path, text] of Object.entries(packageFiles())) writeFileSync(join(folder, path), text)
}

/** Lays out the client's package: JavaScript with types, since Node runs no TypeScript of installed packages. */
export function laySdk(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const compiled = ['--outDir', join(folder, 'dist'), '--declaration', '--rewriteRelativeImportExtensions']
  const language = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2024,dom', '--strict']
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '--ignoreConfig', '--types', 'node', ...language, ...compiled, 'sdk/src/client.ts']
  execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  const at = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` })
  const exports = { '.': at('client'), './contract': at('contract.generated') }
  const manifest = { ...ofPackage('sdk/package.json'), exports, files: ['dist'] }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyTo(folder, 'LICENSE')
  execFileSync('cp', [join(root, 'sdk/README.md'), folder])
}

/** Everything that the programs and pages are made of, as CycloneDX 1.5: packages, versions, licences and digests. */
export function billOfMaterials(): object {
  const { version } = ofPackage('package.json')
  const components = Object.entries(lockedPackages())
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
    .map(([path, { version: of = '', integrity = '', license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const purl = `pkg:npm/${name.replace('@', '%40')}@${of}`
      const [algorithm = '', digest = ''] = integrity.split('-')
      return {
        type: 'library',
        'bom-ref': `${purl}?path=${path}`,
        name,
        version: of,
        purl,
        ...(license !== undefined && { licenses: [{ expression: license }] }),
        ...(algorithm === 'sha512' && {
          hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
        }),
      }
    })
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'sluice', name: 'sluice', version } },
    components,
  }
}
