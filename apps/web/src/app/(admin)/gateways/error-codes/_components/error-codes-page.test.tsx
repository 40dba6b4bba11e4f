// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { openDashboard, tableOf } from '#/testing/dashboard.tsx';
import { ErrorCodesPage } from './error-codes-page.tsx';

const page = openDashboard('?mode=test&merchant=m-1');
const SECTION = { title: 'Errors', address: 'https://paystack.com/docs/api/errors/' };
const SEEN = { firstAt: new Date('2026-11-03T01:00:00Z'), lastAt: new Date() };
const ACCOUNT = { merchantId: 'm-1', merchantName: 'Balogun Books', accountId: 'a-1', accountLabel: 'paystack-main' };
const KNOWN = {
  gateway: 'paystack',
  code: 'duplicate_reference',
  words: 'Duplicate Transaction Reference',
  meaning: 'ours',
  section: SECTION,
  file: 'packages/gateways/src/paystack/error-codes.ts',
  total: 4,
  firstAt: new Date('2026-11-03T01:00:00Z'),
  lastAt: new Date('2026-11-20T01:00:00Z'),
  counts: [
    { ...ACCOUNT, operation: 'open', count: 3, ...SEEN },
    { ...ACCOUNT, operation: 'verify', count: 1, ...SEEN },
  ],
  paymentIds: [],
};
const UNKNOWN = {
  ...KNOWN,
  code: 'E77',
  words: '',
  meaning: 'unknown',
  section: null,
  counts: [],
  total: 1,
  paymentIds: ['p-1', 'p-2'],
};

function answer(): void {
  page.allow('gateway:read');
  page.on('gateways.errorCodes', () => [
    UNKNOWN,
    KNOWN,
    { ...KNOWN, gateway: 'kora', code: 'failed', meaning: 'declined', counts: [] },
  ]);
}
beforeEach(answer);

test('codes are listed with what is made of them, how often they came by account and operation, and the file to change', async () => {
  page.show(<ErrorCodesPage />);
  const [head, unknown, known] = await tableOf('Error codes');
  expect(head?.slice(0, 7)).toEqual(['Gateway', 'Code', 'Meaning', 'Came', 'Where', 'First', 'Last']);
  expect(unknown?.slice(0, 4)).toEqual(['Paystack', 'E77', 'UnknownIn no table', '1']);
  expect(known?.slice(0, 4)).toEqual(['Paystack', 'duplicate_referenceDuplicate Transaction Reference', 'Our fault', '4']);
  expect(known?.[4]).toBe('paystack-main, opening a checkout: 3paystack-main, look-up: 1');
  expect(screen.getAllByRole('link', { name: 'Errors' })[0]?.getAttribute('href')).toBe(SECTION.address);
  expect(screen.getAllByText('paystack/error-codes.ts')).toHaveLength(3);
  expect(screen.getByRole('link', { name: '2' }).getAttribute('href')).toContain('/payments/p-2');
});

test('an address names the codes of one gateway, and one code', async () => {
  page.goTo('?mode=test&merchant=m-1&gateway=paystack&code=E77');
  answer();
  page.show(<ErrorCodesPage />);
  expect((await tableOf('Error codes')).slice(1).map(([gateway, code]) => [gateway, code])).toEqual([['Paystack', 'E77']]);
});

test('accounts of the same name are told apart by their merchants where all merchants are shown', async () => {
  page.goTo('?mode=test');
  page.allow('gateway:read');
  const other = {
    ...ACCOUNT,
    merchantId: 'm-2',
    merchantName: 'Ade Fabrics',
    accountId: 'a-2',
    operation: 'open',
    count: 2,
    ...SEEN,
  };
  page.on('gateways.errorCodes', () => [{ ...KNOWN, counts: [...KNOWN.counts.slice(0, 1), other] }]);
  page.show(<ErrorCodesPage />);
  const [, row] = await tableOf('Error codes');
  expect(row?.[4]).toBe('paystack-main · Balogun Books, opening a checkout: 3paystack-main · Ade Fabrics, opening a checkout: 2');
});
