/** The entry point of the dashboard's script: first the language, then the user, then the page in the URL. */
import { chooseLanguage } from '@sluice/web/ui/languages.ts'
import { mount } from 'svelte'
import App from './components/app.svelte'
import { Desk } from './desk.svelte.ts'
import { sayLoading } from './first-paint.ts'
import { languages, loadMessages } from './messages.ts'
import { Router } from './router.svelte.ts'
import { isPublic } from './routes.ts'
import './styles/page.css'

const target = document.getElementById('app')
if (target === null) throw new Error('The page has no place for the dashboard.')

const asked = localStorage.getItem('sluice.language')
const language = chooseLanguage(languages, asked, navigator.languages.join(','))
document.documentElement.lang = language

const router = new Router(window)
const desk = new Desk(router, language, await loadMessages(language), fetch.bind(window))
router.start(document)
sayLoading(desk.t('loading'))
mount(App, { target, props: { desk } })

const first = router.route
const mustKnow = first === null || !isPublic(first.name)
try {
  await desk.recognise()
  if (desk.session === null && mustKnow) desk.signedOut()
} catch (error) {
  desk.toasts.say(desk.explain(error), 'over')
}
