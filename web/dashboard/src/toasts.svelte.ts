import { untrack } from 'svelte'

export type Toast = { readonly id: number; readonly text: string; readonly tone: 'done' | 'over' }

const shownForMs = 6_000
const mostShown = 3

/**
 * Short messages at the edge of the window. Screen readers announce them; the page itself shows the same information.
 */
export class Toasts {
  shown = $state.raw<readonly Toast[]>([])
  #next = 1
  #places = $state.raw<readonly string[]>([])

  /** Where they are shown: the id of the dialog in front, or null for the page. */
  get place(): string | null {
    return this.#places.at(-1) ?? null
  }

  /** A dialog opens in front of everything else. Returns what to call when it closes. */
  enter(place: string): () => void {
    const others = () => untrack(() => this.#places).filter((each) => each !== place)
    this.#places = [...others(), place]
    return () => {
      this.#places = others()
    }
  }

  say(text: string, tone: Toast['tone'] = 'done'): void {
    const toast = { id: this.#next++, text, tone }
    this.shown = [...this.shown, toast].slice(-mostShown)
    setTimeout(() => this.dismiss(toast.id), shownForMs)
  }

  dismiss(id: number): void {
    this.shown = this.shown.filter((toast) => toast.id !== id)
  }
}
