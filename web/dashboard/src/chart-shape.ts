import type { OverviewBar } from '@sluice/web/contract'
import { difference, shareOf } from './decimals.ts'

// Where things are on the overview's chart, in pixels. Amounts are exact until here; only their places are numbers.

export const chartHeight = 240
const [top, bottom, right] = [12, 26, 4]
const digitWidth = 6.6
const mostBarWidth = 26
/** The least distance between two labels of days. */
const labelWidth = 72

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
export type BarShape = {
  /** The whole column, which reacts to a finger. */
  readonly column: Box
  readonly in: Box
  readonly out: Box
  readonly back: Box
  /** What came in and went out in the period before. */
  readonly before: readonly Box[]
  readonly middle: number
}
export type ChartShape = {
  readonly gutter: number
  readonly lines: readonly { readonly value: string; readonly y: number; readonly isZero: boolean }[]
  readonly bars: readonly BarShape[]
  /** Which bars have their day written below, and at which side of the place it stands. */
  readonly labels: readonly { readonly at: number; readonly x: number; readonly anchor: 'middle' | 'end' }[]
}

type Moved = Pick<OverviewBar, 'received' | 'paid_out' | 'refunded'>

/** The shape of a chart this wide. `axis` encloses all values; the number of characters is that of its longest label. */
export function shapeOf(
  bars: readonly OverviewBar[],
  axis: readonly string[],
  width: number,
  longestLabel: number,
): ChartShape {
  const [low = '0', high = '0'] = [axis[0], axis.at(-1)]
  const span = difference(high, low)
  const plot = chartHeight - top - bottom
  const yOf = (value: string) => top + (1 - shareOf(difference(value, low), span)) * plot
  const gutter = Math.ceil(longestLabel * digitWidth) + 8
  const step = Math.max(1, width - gutter - right) / Math.max(1, bars.length)
  const wide = Math.max(1, Math.min(mostBarWidth, step * 0.6))

  const box = (middle: number, boxWidth: number, from: string, to: string): Box => {
    const [one, other] = [yOf(from), yOf(to)]
    return {
      x: middle - boxWidth / 2,
      y: Math.min(one, other),
      width: boxWidth,
      height: Math.abs(one - other),
    }
  }
  const outOf = ({ paid_out, refunded }: Moved) => difference(difference('0', paid_out), refunded)
  const shapes = bars.map((bar, at): BarShape => {
    const middle = gutter + (at + 0.5) * step
    const behind = Math.max(1, Math.min(mostBarWidth * 1.6, step * 0.92))
    return {
      middle,
      column: { x: middle - step / 2, y: top, width: step, height: plot },
      in: box(middle, wide, '0', bar.received),
      out: box(middle, wide, '0', difference('0', bar.paid_out)),
      back: box(middle, wide, difference('0', bar.paid_out), outOf(bar)),
      before: [bar.before.received, outOf(bar.before)].map((value) => box(middle, behind, '0', value)),
    }
  })
  const stride = Math.ceil(labelWidth / step)
  const labels = shapes.flatMap(({ middle }, at): ChartShape['labels'][number][] => {
    const isLast = at === bars.length - 1
    if ((bars.length - 1 - at) % stride !== 0 || (!isLast && middle < gutter + labelWidth / 4)) return []
    return isLast && middle + labelWidth / 2 > width
      ? [{ at, x: width - right, anchor: 'end' }]
      : [{ at, x: middle, anchor: 'middle' }]
  })
  return {
    gutter,
    lines: axis.map((value) => ({ value, y: yOf(value), isZero: /^-?0(\.0*)?$/.test(value) })),
    bars: shapes,
    labels,
  }
}

/** Which bar is at a place, the nearest one beside them. */
export function barAt({ gutter, bars }: ChartShape, x: number): number {
  const width = bars[0]?.column.width ?? 1
  return Math.max(0, Math.min(bars.length - 1, Math.floor((x - gutter) / width)))
}
