/** The entry point of the page's script: it continues from the state that came with the first HTML. */
import type { Language, PageState } from '@sluice/web/checkout'
import { hydrate } from 'svelte'
import App from './components/app.svelte'
import { live } from './live.svelte.ts'
import { messageFiles } from './message-files.ts'
import type { Messages } from './messages.ts'
import { Session } from './session.svelte.ts'

async function loadMessages(language: Language): Promise<Messages> {
  return (await messageFiles[language]()).default
}

/** When the first HTML began to arrive: its time was correct then. Loading this script may have taken long. */
function firstHtmlAtMs(): number {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return performance.timeOrigin + (navigation?.responseStart ?? performance.now())
}

const state = JSON.parse(document.getElementById('state')?.textContent ?? '') as PageState
const target = document.getElementById('app')
if (target === null) throw new Error('The page has no place for the checkout.')
const session = new Session(state, await loadMessages(state.language), firstHtmlAtMs(), loadMessages)
hydrate(App, { target, props: { session } })
live(session, state.token)
