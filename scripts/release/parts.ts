import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSdk } from '../build-sdk.ts'
import { lockedPackages, packageFiles } from './package-files.ts'
import { copyParts, copyTo, layTree, ofPackage, root } from './trees.ts'

/** Lays out the archive for `npm ci && npx sluice start`: the service's tree, with what an operator needs to run it. */
export async function layArchive(folder: string): Promise<void> {
  await layTree('sluice', folder)
  // npm brings the packages.
  rmSync(join(folder, 'node_modules'), { recursive: true })
  for (const path of ['.npmrc', 'README.md', 'CHANGELOG.md', 'docs', 'deploy']) copyTo(folder, path)
  for (const [path, text] of Object.entries(packageFiles())) writeFileSync(join(folder, path), text)
}

const ofSdk = ['package.json', 'README.md', 'LICENSE', 'src', 'dist']

/** Lays out the client's package as `npm pack` does, with the sources that its maps refer to. */
export async function laySdk(folder: string): Promise<void> {
  if (!(await buildSdk())) throw new Error('Run `npm ci --include=dev` first.')
  copyParts(join(root, 'sdk'), ofSdk, folder)
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
