import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADDRESS_HEADER, addressOf, clientAddress, watchClientAddresses } from './client-address.ts';

describe('the address to go by', () => {
  test.each([
    ['the other end of the connection, whatever the caller says', '9.9.9.9', '1.1.1.1, 2.2.2.2', 0, '9.9.9.9'],
    ['behind one proxy what it saw, not what the caller says', '10.0.0.1', '1.1.1.1, 2.2.2.2', 1, '2.2.2.2'],
    ['behind two what the outer one saw', '10.0.0.1', '6.6.6.6, 2.2.2.2, 10.0.0.2', 2, '2.2.2.2'],
    ['the farthest known where fewer proxies were passed', '10.0.0.1', undefined, 2, '10.0.0.1'],
    ['four numbers also on a socket for both kinds', '::ffff:9.9.9.9', undefined, 0, '9.9.9.9'],
    ['the new kind as it is', '2001:db8::1', '', 0, '2001:db8::1'],
  ])('is %s', (_, remote, forwarded, proxies, address) => {
    expect(addressOf(remote, forwarded, proxies)).toBe(address);
  });

  test('is unknown without a connection', () => {
    expect(addressOf(undefined, '1.1.1.1', 1)).toBeNull();
  });

  test.each(['-1', '11', 'one', '1.5'])('is not to be had with %s proxies', (SWITCHYARD_TRUSTED_PROXIES) => {
    expect(() => watchClientAddresses({ SWITCHYARD_TRUSTED_PROXIES })).toThrow('SWITCHYARD_TRUSTED_PROXIES');
  });
});

describe('a process that watches', () => {
  const server = createServer((request, response) => response.end(String(request.headers[ADDRESS_HEADER])));
  let url: string;
  beforeAll(async () => {
    // What nobody watched arrive is only the caller's word.
    expect(clientAddress(new Headers({ [ADDRESS_HEADER]: '6.6.6.6' }))).toBeNull();
    watchClientAddresses({});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterAll(() => void server.close());

  test('replaces what a caller claims, for every server of the process', async () => {
    const headers = { [ADDRESS_HEADER]: '6.6.6.6', 'x-forwarded-for': '6.6.6.6' };
    const told = await (await fetch(url, { headers })).text();
    expect(told).toBe('127.0.0.1');
    expect(clientAddress(new Headers({ [ADDRESS_HEADER]: told }))).toBe('127.0.0.1');
  });
});
