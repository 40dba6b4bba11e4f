import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADDRESS_HEADER, addressOf, clientAddress, watchClientAddresses } from './client-address.ts';

describe('the client address', () => {
  test.each([
    ['the other end of the connection, ignoring the header', '9.9.9.9', '1.1.1.1, 2.2.2.2', 0, '9.9.9.9'],
    ['the address the one proxy saw, not the caller’s entry', '10.0.0.1', '1.1.1.1, 2.2.2.2', 1, '2.2.2.2'],
    ['the address the outer of two proxies saw', '10.0.0.1', '6.6.6.6, 2.2.2.2, 10.0.0.2', 2, '2.2.2.2'],
    ['the farthest hop when fewer proxies were passed', '10.0.0.1', undefined, 2, '10.0.0.1'],
    ['IPv4 without the prefix of a dual-stack socket', '::ffff:9.9.9.9', undefined, 0, '9.9.9.9'],
    ['IPv6 unchanged', '2001:db8::1', '', 0, '2001:db8::1'],
  ])('is %s', (_, remote, forwarded, proxies, address) => {
    expect(addressOf(remote, forwarded, proxies)).toBe(address);
  });

  test('is null without a connection', () => {
    expect(addressOf(undefined, '1.1.1.1', 1)).toBeNull();
  });

  test.each(['-1', '11', 'one', '1.5'])('rejects %s as the number of proxies', (SWITCHYARD_TRUSTED_PROXIES) => {
    expect(() => watchClientAddresses({ SWITCHYARD_TRUSTED_PROXIES })).toThrow('SWITCHYARD_TRUSTED_PROXIES');
  });
});

describe('a process that does not record client addresses yet', () => {
  test('takes the header for what it is, the claim of a caller', async () => {
    // An instance of its own: other suites of this process may have switched recording on.
    const instance = './client-address.ts?not-watching';
    const unwatched: typeof import('./client-address.ts') = await import(instance);
    const headers = new Headers({ [ADDRESS_HEADER]: '6.6.6.6' });
    expect(unwatched.clientAddress(headers)).toBeNull();
    expect(unwatched.plainClientAddress({ [ADDRESS_HEADER]: '6.6.6.6' })).toBeNull();
    expect(unwatched.withoutUnwatchedAddress(headers).has(ADDRESS_HEADER)).toBe(false);
  });
});

describe('a process that records client addresses', () => {
  const server = createServer((request, response) => response.end(String(request.headers[ADDRESS_HEADER])));
  let url: string;
  beforeAll(async () => {
    watchClientAddresses({});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterAll(() => void server.close());

  test('replaces what a caller claims, for every server of the process', async () => {
    const headers = { [ADDRESS_HEADER]: '6.6.6.6', 'x-forwarded-for': '6.6.6.6' };
    const address = await (await fetch(url, { headers })).text();
    expect(address).toBe('127.0.0.1');
    expect(clientAddress(new Headers({ [ADDRESS_HEADER]: address }))).toBe('127.0.0.1');
  });
});
