import type { Desk } from './desk.svelte.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** What is wrong with a control that the browser refuses, in the words of the page: the browser's bubble speaks its own language. */
export function problemOf({ t }: Pick<Desk, 't'>, control: Control): string {
  const { validity } = control
  if (validity.customError) return control.validationMessage
  if (validity.valueMissing) return t(control instanceof HTMLSelectElement ? 'field_choose' : 'field_missing')
  if (validity.typeMismatch && control.type === 'email') return t('field_email')
  if (validity.typeMismatch && control.type === 'url') return t('field_url')
  if (validity.tooShort && 'minLength' in control) return t('field_short', { count: control.minLength })
  return control.title === '' ? t('field_wrong') : control.title
}

/** Whether it is the first control of its form that the browser refuses: the one to go to. */
export function isFirstProblem(control: Control): boolean {
  return control.form?.querySelector(':is(input, select, textarea):invalid') === control
}
