const second = 1000

/** The service's time: what it said, and when this page received it. The payer's clock may be wrong. */
export type HeardTime = { readonly said: string; readonly heardAtMs: number }

/** Seconds until `end`, rounded up; null if there is no end, 0 when it has passed. */
export function secondsLeft(end: string | null, heard: HeardTime, nowMs: number): number | null {
  if (end === null) return null
  const serviceNowMs = Date.parse(heard.said) + (nowMs - heard.heardAtMs)
  return Math.max(0, Math.ceil((Date.parse(end) - serviceNowMs) / second))
}

/** `4:05`, `1:04:05`: the same in every language. */
export function clockText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const twoDigits = (part: number) => String(part).padStart(2, '0')
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(rest)}` : `${minutes}:${twoDigits(rest)}`
}

/** The time left in ISO 8601, for machines: `PT4M5S`. */
export function durationText(seconds: number): string {
  return `PT${Math.floor(seconds / 60)}M${seconds % 60}S`
}

// Announced only at these points: a countdown that talks all the time helps no one.
const announcedMinutes = [5, 1]

/** The minutes to announce when the time left changes; null nearly always. */
export function announcedMinute(before: number | null, after: number | null): number | null {
  if (before === null || after === null) return null
  return announcedMinutes.find((minutes) => before > minutes * 60 && after <= minutes * 60) ?? null
}
