/** What an expression of PromQL names: each metric with the labels that it is selected or grouped by. */
export type Named = {
  readonly metrics: readonly { readonly name: string; readonly labels: readonly string[] }[]
  /** Labels in `by`, `on` and the like. */
  readonly grouped: readonly string[]
}

type Token = { readonly kind: string; readonly text: string }

const patterns: readonly (readonly [string, RegExp])[] = [
  ['space', /^\s+/],
  ['string', /^"(?:[^"\\]|\\.)*"/],
  // Grafana fills these in: a duration, or an alternative of label values.
  ['duration', /^\[(?:\d+(?:ms|[smhdwy])|\$__rate_interval)\]/],
  ['number', /^\d+(?:\.\d+)?(?:e[+-]?\d+)?/],
  ['name', /^[a-zA-Z_:][\w:]*/],
  ['operator', /^(?:=~|!~|!=|==|>=|<=|[-+*/%^<>=])/],
  ['mark', /^[(){},]/],
]

const functions = new Set([
  'absent',
  'count',
  'delta',
  'histogram_quantile',
  'increase',
  'max',
  'max_over_time',
  'min',
  'min_over_time',
  'rate',
  'sum',
  'time',
  'vector',
])
const groupings = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right'])
const words = new Set(['and', 'or', 'unless', 'bool'])

function tokens(text: string): Token[] {
  const found: Token[] = []
  for (let rest = text; rest !== ''; ) {
    const hit = patterns.flatMap(([kind, pattern]) => {
      const match = pattern.exec(rest)
      return match === null ? [] : [{ kind, text: match[0] }]
    })[0]
    if (hit === undefined) throw new Error(`not PromQL, at "${rest.slice(0, 20)}": ${text}`)
    if (hit.kind !== 'space') found.push(hit)
    rest = rest.slice(hit.text.length)
  }
  return found
}

/**
 * Reads an expression far enough to name its metrics and labels. It knows the tokens, brackets and where an operand must
 * stand, not types: it is no replacement for `promtool check rules`. Throws where it cannot follow.
 */
export function namedIn(text: string): Named {
  const all = tokens(text)
  const metrics: { name: string; labels: string[] }[] = []
  const grouped: string[] = []
  const depth: string[] = []
  let wantsOperand = true
  const fail = (why: string): never => {
    throw new Error(`${why}: ${text}`)
  }
  let at = 0
  const next = () => all[at++]
  const peek = () => all[at]?.text

  /** The names between two brackets, each with a matcher if `matched`. */
  function labels(close: string, matched: boolean): string[] {
    const names: string[] = []
    while (peek() !== close) {
      const name = next()
      if (name?.kind !== 'name') return fail('a label is missing')
      names.push(name.text)
      if (matched) {
        if (!/^(=|!=|=~|!~)$/.test(next()?.text ?? '')) fail('a matcher is missing')
        if (next()?.kind !== 'string') fail('a label value is missing')
      }
      if (peek() === ',') next()
      else if (peek() !== close) fail('a label list does not end')
    }
    next()
    return names
  }

  while (at < all.length) {
    const token = next() as Token
    if (token.kind === 'name' && groupings.has(token.text)) {
      if (next()?.text !== '(') fail(`${token.text} needs labels`)
      grouped.push(...labels(')', false))
    } else if (token.kind === 'name' && words.has(token.text)) {
      if (wantsOperand) fail('an operand is missing')
      wantsOperand = true
    } else if (token.kind === 'name' && (peek() === '(' || groupings.has(peek() ?? ''))) {
      if (!functions.has(token.text)) fail(`unknown function ${token.text}`)
      if (!wantsOperand) fail('an operator is missing')
    } else if (token.kind === 'name') {
      if (!wantsOperand) fail('an operator is missing')
      const metric = { name: token.text, labels: [] as string[] }
      if (peek() === '{') {
        next()
        metric.labels = labels('}', true)
      }
      metrics.push(metric)
      wantsOperand = false
    } else if (token.kind === 'number') {
      if (!wantsOperand) fail('an operator is missing')
      wantsOperand = false
    } else if (token.kind === 'duration') {
      if (wantsOperand || all[at - 2]?.kind === 'duration') fail('a range without a metric')
    } else if (token.text === '(') {
      depth.push(')')
      // Functions without arguments, such as time(), are operands by themselves.
      wantsOperand = peek() !== ')'
    } else if (token.text === ')') {
      if (depth.pop() === undefined) fail('a bracket is closed that was not opened')
      if (wantsOperand) fail('an operand is missing')
    } else if (token.text === ',' || token.kind === 'operator') {
      if (wantsOperand) fail('an operand is missing')
      wantsOperand = true
    } else fail(`unexpected ${token.text}`)
  }
  if (depth.length > 0) fail('a bracket is not closed')
  if (wantsOperand) fail('an operand is missing')
  return { metrics, grouped }
}
