/** The entry point of the dashboard's script: first the language, then the user, then the page in the URL. */
import { chooseLanguage } from '@sluice/web/ui/languages.ts'
import { mount, unmount } from 'svelte'
import { Attempts } from './attempts.svelte.ts'
import { englishAwayWords } from './away-words.ts'
import App from './components/app.svelte'
import ServiceAway from './components/service-away.svelte'
import { Desk } from './desk.svelte.ts'
import { sayLoading } from './first-paint.ts'
import { loadCode } from './load-code.ts'
import { reloadIfAnswering } from './load-page.ts'
import { languages, loadMessages } from './messages.ts'
import { Router } from './router.svelte.ts'
import './styles/page.css'

const target = document.getElementById('app')
if (target === null) throw new Error('The page has no place for the dashboard.')

const asked = localStorage.getItem('sluice.language')
const language = chooseLanguage(languages, asked, navigator.languages.join(','))

const router = new Router(window)
const opening = new Attempts()
/** After the wait a screen reader goes on from the title of the new page. */
const again = () => {
  router.arriving = true
  opening.again()
}

// After an upgrade the files that this page names are gone; the new page names others.
const surelyGone = 5
const away = mount(ServiceAway, {
  target,
  props: { words: englishAwayWords, attempts: opening, again, lang: 'en' },
})
const messages = await opening.until(
  () => loadCode(() => loadMessages(language)),
  async (times) => {
    if (times >= surelyGone) await reloadIfAnswering({ isAsked: false })
  },
)
await unmount(away)

document.documentElement.lang = language
const desk = new Desk(router, language, messages, fetch.bind(window))
router.start(document)
sayLoading(desk.t('loading'))
mount(App, { target, props: { desk, opening, again } })

// Someone may have signed in meanwhile, on a page that is for anyone.
const session = await opening.until(async () => desk.session ?? (await desk.recognise()))
if (session === null) await desk.signedOut()
