import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const { version } = JSON.parse(read('../package.json')) as { version: string }

it.each([
  ['python/pyproject.toml', /^version = "(.*)"$/m],
  ['python/src/sluice/transport.py', /^VERSION = "(.*)"$/m],
  ['php/composer.json', /"version": "(.*)"/],
  ['php/src/Transport.php', /VERSION = '(.*)';/],
])('%s has the version of this release', (path, place) => {
  expect(place.exec(read(path))?.[1]).toBe(version)
})

it.each(['python', 'php'])('the client in %s comes with the licence of the project', (folder) => {
  expect(read(`${folder}/LICENSE`)).toBe(read('../LICENSE'))
})
