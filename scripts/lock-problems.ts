/** What a package-lock.json lacks, of the packages of every platform. */

export type Locked = {
  readonly version?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
export type LockedPackages = Readonly<Record<string, Locked>>

const sha512 = /^sha512-[\w+/]{86}==$/
const inside = 'node_modules/'

/** The entries that npm downloads, by their paths. */
export function downloaded(packages: LockedPackages): [string, Locked][] {
  return Object.entries(packages).filter(
    ([path, { link, resolved }]) => path.includes(inside) && !link && !resolved?.startsWith('file:'),
  )
}

/** One line a problem; empty if `npm ci` takes the file, and checks all that it downloads. */
export function lockProblems(packages: LockedPackages): string[] {
  const incomplete = Object.entries(packages).flatMap(([owner, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).flatMap(([name, version]) => {
      const found = packageFor(packages, owner, name)
      if (found === undefined) return [`${name} ${version}, of ${owner || 'this project'}, is missing`]
      // The package of a platform has the version of its owner.
      const isOther = /^\d+\.\d+\.\d+$/.test(version) && found.version !== version
      return isOther ? [`${name} is ${found.version}, but ${owner || 'this project'} needs ${version}`] : []
    }),
  )
  const unproved = downloaded(packages).flatMap(([path, { integrity = '', resolved }]) => [
    ...(sha512.test(integrity) ? [] : [`${path} has no hash`]),
    ...(resolved === undefined ? [] : [`${path} names a registry`]),
  ])
  return [...incomplete, ...unproved]
}

/** The package that `owner` gets by a name: its own, or one beside it or above. */
function packageFor(packages: LockedPackages, owner: string, name: string): Locked | undefined {
  for (let folder = owner; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(`/${inside}`)))) {
    const found = packages[`${folder === '' ? '' : `${folder}/`}${inside}${name}`]
    if (found !== undefined || folder === '') return found
  }
}
