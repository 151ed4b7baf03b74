/** Whether this is a valid mail server URL from the operator's settings. */
export function isSmtpUrl(text: string): boolean {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return false
  const { hostname, searchParams } = new URL(text)
  return hostname !== '' && /^[^\s@]+@[^\s@]+$/.test(searchParams.get('from') ?? 'none@given')
}
