/** Renders the first HTML for the service; built into `dist/server/render.js`. */

import clientFiles from 'virtual:client-files'
import { type Language, languages, type PageRenderer, type PageState } from '@sluice/web/checkout'
import { accentFor } from '@sluice/web/ui/colour.ts'
import { render as renderComponent } from 'svelte/server'
import App from './components/app.svelte'
import { messageFiles } from './message-files.ts'
import type { Messages } from './messages.ts'
import { Session } from './session.svelte.ts'
import { pageTitle } from './status.ts'
import styles from './styles/page.css?inline'

export { languageFor } from './languages.ts'

const messages = new Map<Language, Messages>()
for (const language of languages) messages.set(language, (await messageFiles[language]()).default)
const assetsPath = '/checkout-assets/'

// The others are shown in the device's own face: see `font.css`.
const inFont: ReadonlySet<Language> = new Set(['en', 'de', 'es', 'fr', 'pt', 'it', 'nl'])

// Without script the page reloads itself: soon while a payment may arrive, rarely while the payer chooses.
const refreshSeconds = { choose: 240, open: 15, ended: 60 }

export const render: PageRenderer['render'] = (state, nonce) => {
  const session = new Session(state, messagesOf(state.language), 0, async (language) => messagesOf(language))
  const { body } = renderComponent(App, { props: { session } })
  const script = `${assetsPath}${clientFiles.script}`
  const logo = state.checkout?.shop.logo ?? null
  return [
    `<!doctype html><html lang="${state.language}" dir="${session.direction}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(pageTitle(session))}</title>`,
    '<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    `<link rel="icon" href="${logo === null ? 'data:,' : escaped(logo)}">`,
    ...(inFont.has(state.language)
      ? [`<link rel="preload" href="${clientFiles.font}" as="font" type="font/woff2" crossorigin>`]
      : []),
    `<style nonce="${escaped(nonce)}">${styles}${accentStyles(state.checkout?.shop.colour ?? null)}</style>`,
    `<noscript><style nonce="${escaped(nonce)}">.scripted{display:none!important}</style>`,
    `${refreshOf(state)}</noscript>`,
    `<link rel="modulepreload" href="${script}">`,
    `<link rel="modulepreload" href="${assetsPath}${clientFiles.messages[state.language]}">`,
    `</head><body><div id="app">${body}</div>`,
    `<script type="application/json" id="state">${JSON.stringify(state).replaceAll('<', '\\u003c')}</script>`,
    `<script type="module" src="${script}"></script></body></html>`,
  ].join('')
}

function messagesOf(language: Language): Messages {
  const found = messages.get(language)
  if (found === undefined) throw new Error(`There are no messages in ${language}.`)
  return found
}

function refreshOf({ checkout, offers }: PageState): string {
  if (checkout === null) return ''
  const { phase } = checkout
  const ended = phase === 'paid' || phase === 'overpaid' || phase === 'expired' || phase === 'cancelled'
  const seconds = ended ? refreshSeconds.ended : offers !== null ? refreshSeconds.choose : refreshSeconds.open
  return `<meta http-equiv="refresh" content="${seconds}">`
}

function accentStyles(colour: string | null): string {
  const { light, dark } = accentFor(colour)
  const properties = ({ surface, onSurface, ink }: typeof light) =>
    `:root{--accent:${surface};--on-accent:${onSurface};--accent-ink:${ink}}`
  return `${properties(light)}@media (prefers-color-scheme:dark){${properties(dark)}}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
