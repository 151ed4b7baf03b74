import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './support/pages/code-blocks.ts'

const maxLength = 72
/** The last commit before this rule was checked. */
const base = '720ed5d4203753f2e822ab862856ab776fb7943a'

function git(folder: string, ...args: readonly string[]): string | null {
  // A hook sets GIT_DIR, which would lead to another repository.
  const { PATH, HOME } = process.env
  const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', env: { PATH, HOME } })
  return status === 0 ? stdout.trim() : null
}

/** A sentence for each commit since `since` whose subject is too long. None without git, or where the clone lacks that commit. */
function problemsOf(folder: string, since: string): string[] {
  const log = git(folder, 'log', '--no-merges', '--format=%h %s', `${since}..HEAD`)
  return (log ?? '').split('\n').flatMap((line) => {
    const [hash = ''] = line.split(' ', 1)
    const { length } = line.slice(hash.length + 1)
    return length > maxLength
      ? [`The subject of commit ${hash} has ${length} characters; at most ${maxLength} are allowed.`]
      : []
  })
}

it('the subjects of new commits fit in a line', () => {
  expect(problemsOf(root, base)).toEqual([])
})

it('a commit whose subject is too long is named, and those before the base are left alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-commits-'))
  const commit = (subject: string) => {
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
    git(
      folder,
      ...author,
      'commit',
      '--allow-empty',
      '--no-verify',
      '-m',
      `${subject}\n\n${'A body. '.repeat(20)}`,
    )
    return git(folder, 'rev-parse', '--short', 'HEAD')
  }
  try {
    expect(problemsOf(folder, base)).toEqual([])
    git(folder, 'init', '--quiet')
    commit('x'.repeat(100))
    const since = commit('The base') ?? ''
    commit('x'.repeat(72))
    expect(problemsOf(folder, since)).toEqual([])
    const long = commit('x'.repeat(73))
    commit('Short again')
    expect(problemsOf(folder, since)).toEqual([
      `The subject of commit ${long} has 73 characters; at most 72 are allowed.`,
    ])
    expect(problemsOf(folder, base)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
