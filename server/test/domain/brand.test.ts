import { expect, it } from 'vitest'
import { imageType, readColour, readEmbedOrigin } from '../../src/domain/brand.ts'

it.each([
  ['#0a7cff', '#0a7cff'],
  ['#0A7CFF', '#0a7cff'],
  ['0a7cff', null],
  ['#0a7', null],
  ['#0a7cff0', null],
  ['#0a7cfg', null],
  ['red', null],
  ['#0a7cff;', null],
])('%j as a colour is %j', (text, colour) => {
  expect(readColour(text)).toBe(colour)
})

it.each([
  ['https://shop.example.com', 'https://shop.example.com'],
  ['https://Shop.Example.com/', 'https://shop.example.com'],
  ['https://shop.example.com:8443', 'https://shop.example.com:8443'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://[2001:db8::1]', 'https://[2001:db8::1]'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://shop.example.com', null],
  ['https://shop.example.com/pay', null],
  ['https://shop.example.com?x', null],
  ['https://shop.example.com#x', null],
  ['https://me@shop.example.com', null],
  ['https://*.example.com', null],
  ['https://a;script-src.example', null],
  ["https://'self'", null],
  ['https://a,b.example', null],
  ['https://', null],
  ['*', null],
  ['null', null],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
])('%j as a site that may embed the page is %j', (text, origin) => {
  expect(readEmbedOrigin(text)).toBe(origin)
})

it.each([
  ['a PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'image/png'],
  ['a JPEG', '\xff\xd8\xff\xe0\0\x10JFIF', 'image/jpeg'],
  ['an old GIF', 'GIF87a..', 'image/gif'],
  ['a GIF', 'GIF89a..', 'image/gif'],
  ['a WebP', 'RIFF\n\0\0\0WEBPVP8 ', 'image/webp'],
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', null],
  ['a page', '<!doctype html>', null],
  ['a sound', 'RIFF\n\0\0\0WAVEfmt ', null],
  ['a PNG that a text tool has corrupted', '\x89PNG\n\x1a\n\0\0\0\0', null],
  ['nothing', '', null],
])('%s is recognised by its first bytes', (_, text, mediaType) => {
  expect(imageType(Buffer.from(text, 'latin1'))).toBe(mediaType)
})
