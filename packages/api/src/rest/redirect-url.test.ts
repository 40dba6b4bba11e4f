import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { initiateRequest } from './requests.ts';

/** How many times as much is drawn: `PROPERTY_TIMES=20` at night. */
const TIMES = Number(process.env.PROPERTY_TIMES ?? 1);

const accepts = (redirectUrl: string, mode: 'test' | 'live' = 'live') =>
  initiateRequest[mode].safeParse({
    merchantOrderId: 'order-1',
    amount: 1_000,
    currency: 'NGN',
    customer: { email: 'ada@example.com' },
    redirectUrl,
  }).success;

const SCHEMES = [
  'javascript:',
  'JAVASCRIPT:',
  'data:text/html,',
  'vbscript:',
  'file:',
  'ftp:',
  'blob:',
  'about:',
  'ws:',
  'intent:',
];
const SLASHES = ['', '/', '//', '///', '\\', '\\\\', '/\\', '\\/'];
const HOSTS = ['shop.example', 'shop.example/thanks', 'shop.example:8443/?a=b#c', '127.0.0.1', '[::1]:443/'];
const CONTROLS = [
  '\0',
  '\t',
  '\n',
  '\r',
  '\u000b',
  '\u001f',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u1680',
  '\u2003',
  '\u2028',
  '\u2029',
  '\u3000',
  '\ufeff',
];
const USERS = ['ada@', 'ada:secret@', '@', ':@', 'shop.example@', 'shop.example:443@', 'a%40b@', '%00@', 'ada@eve@'];

/** Addresses that browsers and parsers read in different ways, or that lead off the web. */
const CORPUS = [
  ...SCHEMES.flatMap((scheme) => SLASHES.map((slashes) => `${scheme}${slashes}shop.example/%0aalert(1)`)),
  ...SLASHES.flatMap((slashes) => HOSTS.map((host) => `${slashes}${host}`)),
  ...SLASHES.filter((slashes) => slashes !== '//').flatMap((slashes) => HOSTS.map((host) => `https:${slashes}${host}`)),
  ...CONTROLS.flatMap((control) => [
    `${control}https://shop.example/`,
    `ht${control}tps://shop.example/`,
    `https:${control}//shop.example/`,
    `https://shop${control}.example/`,
    `https://shop.example/a${control}b`,
    `https://shop.example/${control}`,
  ]),
  ...USERS.flatMap((user) => HOSTS.map((host) => `https://${user}${host}`)),
  ...['\\@eve.example', '\\.eve.example', '\\', '/\\eve.example', '?\\', '#\\'].flatMap((rest) =>
    HOSTS.map((host) => `https://${host}${rest}`),
  ),
  ...[
    'https://',
    'https:///',
    'https://?',
    'https://#',
    'https://:443',
    'https://[',
    'https://[::1',
    'https://%00/',
    'https://a b/',
  ],
  ...[
    'https://shop.example:99999/',
    'https://shop.example:-1/',
    'https://256.256.256.256/',
    'https://\ud800/',
    'https://a/\udfff',
  ],
  ...['http://shop.example/', 'HTTP://shop.example/'],
];

describe('a redirectUrl', () => {
  test('of the corpus is refused, every one of them', () => {
    expect(new Set(CORPUS).size).toBeGreaterThan(300);
    expect(CORPUS.filter((text) => accepts(text))).toEqual([]);
  });

  test('that is accepted leads to the host that it names, for every parser', () => {
    const pieces = fc.constantFrom(
      ...['https://', 'http://', '//', '/', '\\', '@', ':', '?', '#', '.', '%40', '%2f', '\t', ' ', 'a', 'eve.example'],
    );
    const urls = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.array(pieces, { maxLength: 8 }).map((parts) => `https://shop.example${parts.join('')}`),
      fc.string({ unit: 'binary' }).map((text) => `https://shop.example/${text}`),
    );
    fc.assert(
      fc.property(urls, (text) => {
        if (!accepts(text)) return;
        // A reader that knows nothing of the URL standard: what stands between the slashes and the next delimiter.
        const [, plain = ''] = /^https:\/\/([^/?#]+)/i.exec(text) ?? [];
        const url = new URL(text);
        expect([url.protocol, url.username, url.password]).toEqual(['https:', '', '']);
        expect(plain).not.toMatch(/[@\\\s]/);
        expect(new URL(`https://${plain}/`).host).toBe(url.host);
      }),
      { numRuns: 1_000 * TIMES },
    );
  });

  test('may be plain HTTP under a test key only', () => {
    expect(accepts('http://127.0.0.1:8080/thanks', 'test')).toBe(true);
    expect(accepts('http://127.0.0.1:8080/thanks', 'live')).toBe(false);
    expect(accepts('https://shop.example/thanks?a=b#c', 'live')).toBe(true);
  });
});
