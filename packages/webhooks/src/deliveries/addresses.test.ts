import { expect, test } from 'vitest';
import { mayConnectTo } from './addresses.ts';

const PRIVATE = [
  ...['127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.127.255.255'],
  ...['::1', 'fc00::1', 'fd12:3456::1'],
];
const NOWHERE = [
  ...[
    '0.0.0.0',
    '0.1.2.3',
    '169.254.169.254',
    '169.254.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
  ],
  ...['192.88.99.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...[
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2001:10::1',
    '3fff::1',
    '100::1',
    '5f00::1',
  ],
  // Other notations of an IPv4 address: mapped, compatible, translated, tunnelled.
  ...[
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
  ],
  ...['64:ff9b:1::1', '2002:7f00:1::', '::ffff:0:7f00:1'],
  ...['', 'localhost', '127.1', '0x7f000001', '2130706433', 'example.com'],
];
const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '9.255.255.255',
  '2606:4700::1111',
  '2a00::1',
];

test.each(PUBLIC)('%s is public', (address) => {
  expect(mayConnectTo(address, 'live')).toBe(true);
  expect(mayConnectTo(address, 'test')).toBe(true);
});

test.each(PRIVATE)('%s is allowed in test mode only', (address) => {
  expect(mayConnectTo(address, 'live')).toBe(false);
  expect(mayConnectTo(address, 'test')).toBe(true);
});

test.each(NOWHERE)('"%s" is allowed in no mode', (address) => {
  expect(mayConnectTo(address, 'live')).toBe(false);
  expect(mayConnectTo(address, 'test')).toBe(false);
});
