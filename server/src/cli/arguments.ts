import { InvalidArgumentError } from 'commander'
import { isUuid } from '../domain/ids.ts'

const maxNameLength = 255

export function readId(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError('It must be a UUID.')
  return text.toLowerCase()
}

export function readName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  if (text.length > maxNameLength)
    throw new InvalidArgumentError(`It must have at most ${maxNameLength} characters.`)
  if (text.includes('\0')) throw new InvalidArgumentError('It must not contain NUL.')
  return text
}
