import { expect, it } from 'vitest'
import { masking } from '../../../src/gates/trial/mask-secrets.ts'

it.each([
  ['a key in the path', 'https://node.example/v3/9f3ab2c4', 'no project 9F3AB2C4', 'no project …'],
  ['a key in the query', 'https://node.example/?apikey=9f3ab2c4&net=x', 'bad 9f3ab2c4', 'bad …'],
  ['a query without a name', 'https://node.example/?9f3ab2c4', 'bad 9f3ab2c4', 'bad …'],
  ['a password', 'http://ada:p%40ss%2Fword@127.0.0.1', 'p@ss/word or p%40ss%2Fword', '… or …'],
  ['a login as the header has it', 'http://ada:secret@127.0.0.1', 'Basic YWRhOnNlY3JldA==', 'Basic …'],
  ['a user', 'http://adalovelace:x@127.0.0.1', 'unknown user adalovelace', 'unknown user …'],
  [
    'a password of usual words',
    'http://sluice:bitcoin@127.0.0.1',
    'wrong password bitcoin',
    'wrong password …',
  ],
  ['what looks like a pattern', 'http://a:(x.+)[y]@127.0.0.1', 'not (x.+)[y], (xxx)y', 'not …, (xxx)y'],
  ['a short password', 'http://a:ab@127.0.0.1', 'ab is not in about', '… is not in about'],
])('%s is masked wherever it appears', (_, url, text, masked) => {
  expect(masking([url])(text)).toBe(masked)
})

it('words of usual URLs stay, since reports need them', () => {
  const mask = masking(['https://sluice:9f3ab2c4@node.example/eth/v1/mainnet'])
  const text = 'eth_getBlockByNumber of sluice on mainnet'
  expect(mask(text)).toBe(text)
})

it('of several URLs every secret is masked, the longest first', () => {
  const mask = masking(['https://one.example/abcdef', 'https://two.example/abcdefgh'])
  expect(mask('abcdefgh abcdef')).toBe('… …')
})
