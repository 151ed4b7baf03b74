/**
 * `npm run release [FOLDER]`: writes the archive, the client's package, the plugin for WooCommerce, the bill of materials and
 * their checksums to a folder (`tmp/release` unless you name one), and builds both images if this machine has a container builder.
 * The same sources give the same checksums.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packed } from './archive.ts'
import { billOfMaterials, layArchive, laySdk } from './parts.ts'
import { ofPackage, root } from './trees.ts'
import { woocommerceZip } from './woocommerce.ts'

const builders = ['docker', 'podman', 'buildah']
const folder = resolve(process.argv[2] ?? join(root, 'tmp/release'))
const { version } = ofPackage('package.json')
const work = join(folder, 'work')

rmSync(folder, { recursive: true, force: true })
mkdirSync(work, { recursive: true })
await layArchive(join(work, `sluice-${version}`))
write(`sluice-${version}.tar.gz`, packed(work, `sluice-${version}`))
await laySdk(join(work, 'package'))
write(`sluice-sdk-${version}.tgz`, packed(work, 'package'))
write(`sluice-for-woocommerce-${version}.zip`, woocommerceZip())
write(`sluice-${version}.cdx.json`, `${JSON.stringify(billOfMaterials(), null, 2)}\n`)
rmSync(work, { recursive: true })
const sums = readdirSync(folder)
  .sort()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}\n`,
  )
write('SHA256SUMS', sums.join(''))
console.log(`${sums.join('')}in ${folder}`)
process.exitCode = buildImages() ? 0 : 1

function write(name: string, contents: Buffer | string): void {
  writeFileSync(join(folder, name), contents)
}

/** False if a build failed. */
function buildImages(): boolean {
  const builder = builders.find((name) => spawnSync(name, ['--version']).status === 0)
  const commands = [
    ['sluice', `sluice:${version}`],
    ['signer', `sluice-signer:${version}`],
  ].map(([target = '', tag = '']) => ['build', '--target', target, '--tag', tag, '.'])
  if (builder === undefined) {
    const shown = commands.map((args) => `  docker ${args.join(' ')}`).join('\n')
    console.log(
      `The images were not built: this machine has none of ${builders.join(', ')}. With one of them:\n${shown}`,
    )
    return true
  }
  return commands.every((args) => spawnSync(builder, args, { cwd: root, stdio: 'inherit' }).status === 0)
}
