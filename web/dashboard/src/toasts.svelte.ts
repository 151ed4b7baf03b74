export type Toast = { readonly id: number; readonly text: string; readonly tone: 'done' | 'over' }

const shownForMs = 6_000
const mostShown = 3

/**
 * Short messages at the edge of the window. Screen readers announce them; the page itself shows the same information.
 */
export class Toasts {
  shown = $state.raw<readonly Toast[]>([])
  #next = 1

  say(text: string, tone: Toast['tone'] = 'done'): void {
    const toast = { id: this.#next++, text, tone }
    this.shown = [...this.shown, toast].slice(-mostShown)
    setTimeout(() => this.dismiss(toast.id), shownForMs)
  }

  dismiss(id: number): void {
    this.shown = this.shown.filter((toast) => toast.id !== id)
  }
}
