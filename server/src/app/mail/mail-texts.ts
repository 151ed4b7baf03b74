import { english } from './languages/english.ts'
import { french } from './languages/french.ts'
import { german } from './languages/german.ts'
import { portuguese } from './languages/portuguese.ts'
import { spanish } from './languages/spanish.ts'
import type { MailTexts } from './mail-words.ts'

/** The languages of mails: those of the dashboard. */
export const mailLanguages: ReadonlyMap<string, MailTexts> = new Map([
  ['en', english],
  ['de', german],
  ['es', spanish],
  ['fr', french],
  ['pt', portuguese],
])

/** The mail texts in a language; English if there are none in it. */
export function mailTextsIn(language: string | null): MailTexts {
  return mailLanguages.get(language ?? 'en') ?? english
}
