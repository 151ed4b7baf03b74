import { describe, expect, test } from 'vitest'
import { maxUrlLength } from '../../src/domain/plain-urls.ts'
import { isForbidden } from '../../src/outbound/webhooks/address-guard.ts'
import { isAllowed, nothingAllowed, readAllowList } from '../../src/outbound/webhooks/allow-list.ts'
import { checkTarget } from '../../src/outbound/webhooks/check-target.ts'
import { readTarget } from '../../src/outbound/webhooks/target.ts'

const forbidden = [
  // IPv4: each range at its first and last address
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.0',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.0.0',
  '169.254.169.254',
  '169.254.255.255',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.0',
  '192.0.0.255',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.0.0',
  '192.168.255.255',
  '192.175.48.1',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.0',
  '239.255.255.255',
  '240.0.0.0',
  '255.255.255.255',
  // IPv6: unspecified, loopback, IPv4 in all its embeddings
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:FFFF:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:0:127.0.0.1',
  '::ffff:0:8.8.8.8',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '64:ff9b:1::8.8.8.8',
  '64:ff9b:0:1::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:c0a8:101::1',
  '2002:a9fe:a9fe::',
  // IPv6: local, special, reserved
  '100::1',
  '100:0:0:1::1',
  '200::1',
  '400::1',
  '1000::1',
  '1fff:ffff::1',
  '2001::1',
  '2001:0:7f00:1::',
  '2001:2::1',
  '2001:3::1',
  '2001:4:112::1',
  '2001:10::1',
  '2001:20::1',
  '2001:2f:ffff::1',
  '2001:30::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2001:db8:ffff::1',
  '2620:4f:8000::1',
  '3fff::1',
  '3fff:fff::1',
  '4000::1',
  '5f00::1',
  '8000::1',
  'e000::1',
  'fc00::1',
  'fd00:ec2::254',
  'fdff::1',
  'fe00::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'feff::1',
  'ff00::1',
  'ff02::1',
  'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  // with a zone, or not an address at all
  'fe80::1%eth0',
  '2606:4700::1%lo',
  '',
  'localhost',
  '127.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '2130706433',
  '8.8.8.8:80',
  '[2606:4700::1]',
  ' 8.8.8.8',
  '8.8.8.8/32',
  '1:2:3:4:5:6:7:8:9',
  ':::',
]

const plainlyPublic = [
  '1.0.0.0',
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
  '2000::1',
  '2001:200::1',
  '2001:4860::8888',
  '2001:db7:ffff::1',
  '2001:db9::1',
  '2606:4700:4700::1111',
  '3ffe::1',
  '3fff:1000::1',
]

describe('an address', () => {
  test.each(forbidden)('%s is forbidden', (ip) => expect(isForbidden(ip)).toBe(true))
  test.each(plainlyPublic)('%s is public', (ip) => expect(isForbidden(ip)).toBe(false))
})

/** Hosts in URLs that look different from where they lead. */
const disguises: [host: string, leadsTo: string][] = [
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1:8443', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['017700000001', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['0x7F.1', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['0177.0x0.0.01', '127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['127.0.1', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['0', '0.0.0.0'],
  ['0x', '0.0.0.0'],
  ['1', '0.0.0.1'],
  ['2852039166', '169.254.169.254'],
  ['0xa9fea9fe', '169.254.169.254'],
  ['169.16689662', '169.254.169.254'],
  ['0251.0376.0251.0376', '169.254.169.254'],
  ['%31%32%37.0.0.1', '127.0.0.1'],
  ['127%2e0%2E0.1', '127.0.0.1'],
  ['127。0。0。1', '127.0.0.1'],
  ['１２７.0.0.1', '127.0.0.1'],
  ['①②⑦.⓪.⓪.①', '127.0.0.1'],
  ['𝟏𝟐𝟕.𝟎.𝟎.𝟏', '127.0.0.1'],
  ['1\u00ad27.0.0.1', '127.0.0.1'],
  ['good.example@127.0.0.1', '127.0.0.1'],
  ['good.example:443@127.0.0.1', '127.0.0.1'],
  ['good.example%40@127.0.0.1', '127.0.0.1'],
  ['127.0.0.1\\@good.example', '127.0.0.1'],
  ['127.0.0.1?@good.example', '127.0.0.1'],
  ['127.0.0.1#@good.example', '127.0.0.1'],
  ['/\\/127.0.0.1', '127.0.0.1'],
  ['12\t7.0.0\n.1', '127.0.0.1'],
  ['[::1]', '::1'],
  ['[0:0:0:0:0:0:0:1]', '::1'],
  ['[::]', '::'],
  ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
  ['[::ffff:7f00:1]', '::ffff:7f00:1'],
  ['[0000:0000:0000:0000:0000:FFFF:A9FE:A9FE]', '::ffff:a9fe:a9fe'],
  ['[64:ff9b::169.254.169.254]', '64:ff9b::a9fe:a9fe'],
  ['[2002:7f00:1::]', '2002:7f00:1::'],
  ['[fd00:ec2::254]', 'fd00:ec2::254'],
]

/** Hosts that the URL parser itself rejects. */
const unreadable = ['[fe80::1%25eth0]', '[fe80::1%eth0]', '256.256.256.256', '1.2.3.4.5', '08.0.0.1', '[::1']

const publicNames = async () => ['93.184.215.14']
const live = { environment: 'live', allow: nothingAllowed, lookup: publicNames } as const
const { allow } = readAllowList(['127.0.0.1', '::1', '10.0.0.0/8', 'hooks.internal'])
const allowing = { environment: 'test', allow, lookup: publicNames } as const
const leadingTo = (...ips: string[]) => ({ lookup: async () => ips })

function failing(code: string) {
  return { lookup: () => Promise.reject(Object.assign(new Error(code), { code })) }
}

describe('a host in disguise', () => {
  test.each(disguises)('%j leads to %s and is refused', async (host, leadsTo) => {
    const target = readTarget(`https://${host}/hook`)
    expect(target?.host).toBe(leadsTo)
    expect(isForbidden(target?.host ?? '')).toBe(true)
    expect(await checkTarget(`https://${host}/hook`, live)).not.toBeNull()
  })

  test.each(unreadable)('%j leads nowhere and is refused', async (host) => {
    expect(readTarget(`https://${host}/hook`)).toBeNull()
    expect(await checkTarget(`https://${host}/hook`, live)).toBe('must be an https URL')
  })
})

describe('the operator’s list', () => {
  test('permits its addresses, ranges and names, and nothing else', () => {
    expect(isAllowed(allow, 'a.example', '127.0.0.1')).toBe(true)
    expect(isAllowed(allow, 'a.example', '::ffff:127.0.0.1')).toBe(true)
    expect(isAllowed(allow, 'a.example', '127.0.0.2')).toBe(false)
    expect(isAllowed(allow, 'a.example', '::1')).toBe(true)
    expect(isAllowed(allow, 'a.example', '::2')).toBe(false)
    expect(isAllowed(allow, 'a.example', '10.200.3.4')).toBe(true)
    expect(isAllowed(allow, 'a.example', '11.0.0.0')).toBe(false)
    expect(isAllowed(allow, 'hooks.internal', '192.168.7.7')).toBe(true)
    expect(isAllowed(allow, 'sub.hooks.internal', '192.168.7.7')).toBe(false)
    expect(isAllowed(allow, 'hooks.internal', 'no address')).toBe(false)
  })

  test('permits no IPv4 address through a range of IPv6', () => {
    const wide = readAllowList(['::/0'])
    expect(wide.problems).toEqual([])
    expect(isAllowed(wide.allow, 'a.example', 'fd00::1')).toBe(true)
    expect(isAllowed(wide.allow, 'a.example', '::ffff:127.0.0.1')).toBe(false)
    expect(isAllowed(wide.allow, 'a.example', '127.0.0.1')).toBe(false)
  })

  test('reads names as a URL spells them, and ignores blank entries', () => {
    const { allow: read, problems } = readAllowList([
      ' Hooks.Internal. ',
      '',
      'bücher.example',
      '[::1]',
      'a_b',
    ])
    expect(problems).toEqual([])
    expect([...read.hosts]).toEqual(['hooks.internal', 'xn--bcher-kva.example', 'a_b'])
    expect(isAllowed(read, 'x', '::1')).toBe(true)
  })

  test('reports every entry that is none of these', () => {
    const bad = [
      '10.0.0.0/33',
      '10.0.0.1/8',
      '10.0.0.0/08',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '::/129',
      '2130706433',
      '0x7f.1',
      '127.1',
      '*.internal',
      'a:80',
      'http://a',
      'a/b',
      'a b',
      'a@b',
      '::ffff:10.0.0.0/104',
      'fe80::1%lo',
    ]
    const { problems } = readAllowList([...bad, 'good'])
    expect(problems).toHaveLength(bad.length)
    bad.forEach((text, index) => {
      expect(problems[index]).toContain(`"${text}"`)
    })
  })
})

describe('registering an endpoint', () => {
  test('accepts a public https URL, with a port and a query', async () => {
    for (const url of [
      'https://a.example',
      'https://A.example:8443/x?y=1',
      'https://8.8.8.8/',
      'https://[2606:4700::1]/',
    ]) {
      expect(await checkTarget(url, live), url).toBeNull()
    }
    expect(await checkTarget(`https://a.example/${'x'.repeat(maxUrlLength - 18)}`, live)).toBeNull()
  })

  test('refuses any other URL, and says why', async () => {
    const refused: [string, string][] = [
      ['', 'https'],
      ['a.example', 'https'],
      ['ftp://a.example', 'https'],
      ['javascript:alert(1)', 'https'],
      ['file:///etc/passwd', 'https'],
      ['https://', 'https'],
      ['http://a.example', 'https'],
      ['http://8.8.8.8', 'https'],
      ['https://user@a.example', 'user name'],
      ['https://:secret@a.example', 'password'],
      ['https://a.example/#x', 'fragment'],
      ['https://a.example/#', 'fragment'],
      ['https://a.example:0/', 'port'],
      ['https://a.example:65536/', 'https'],
      [' https://a.example', 'spaces'],
      ['https://a.exa\nmple', 'control'],
      ['https:\\\\a.example', 'backslashes'],
      [`https://a.example/${'x'.repeat(maxUrlLength - 17)}`, '2048'],
    ]
    for (const [url, why] of refused) expect(await checkTarget(url, live), url).toContain(why)
  })

  test('refuses a name only if all its addresses are forbidden', async () => {
    const url = 'https://a.example/'
    expect(await checkTarget(url, { ...live, ...leadingTo('127.0.0.1', 'fd00::1') })).toContain('private')
    expect(await checkTarget(url, { ...live, ...leadingTo('127.0.0.1', '8.8.8.8') })).toBeNull()
    expect(await checkTarget(url, { ...live, ...leadingTo() })).toContain('resolves')
  })

  test('refuses a name that does not exist, but not because of an outage of the resolver', async () => {
    expect(await checkTarget('https://a.example/', { ...live, ...failing('ENOTFOUND') })).toContain(
      'resolves',
    )
    expect(await checkTarget('https://a.example/', { ...live, ...failing('ENODATA') })).toContain('resolves')
    expect(await checkTarget('https://a.example/', { ...live, ...failing('ETIMEOUT') })).toBeNull()
  })

  test('accepts http only in the test environment, and only to hosts that the operator allows', async () => {
    for (const url of ['http://127.0.0.1:3000/', 'http://[::1]:3000/', 'http://10.9.9.9/']) {
      expect(await checkTarget(url, allowing), url).toBeNull()
      expect(await checkTarget(url, { ...allowing, environment: 'live' }), url).toContain('https')
      expect(await checkTarget(url, { ...allowing, allow: nothingAllowed }), url).toContain('private')
      expect(await checkTarget(url.replace('http', 'https'), { ...allowing, environment: 'live' })).toBeNull()
    }
    const named = { ...allowing, ...leadingTo('192.168.1.1') }
    expect(await checkTarget('http://hooks.internal/', named)).toBeNull()
    expect(await checkTarget('http://other.internal/', named)).toContain('private')
    expect(
      await checkTarget('http://localhost/', { ...allowing, ...leadingTo('127.0.0.1', '::1') }),
    ).toBeNull()
    expect(await checkTarget('http://a.example/', allowing)).toContain('operator allows')
    expect(await checkTarget('http://8.8.8.8/', allowing)).toContain('operator allows')
  })
})
