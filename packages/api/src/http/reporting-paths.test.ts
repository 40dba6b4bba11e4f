import { expect, test } from 'vitest';
import { isReportingPath } from './reporting-paths.ts';

test.each([
  '/api/trpc/settlements.files.inspect',
  '/api/trpc/settlements.files.take',
  '/api/trpc/settlements.bank.preview',
  '/api/trpc/settlements.withdrawals.effect',
  '/api/trpc/refunds.bulk.preview',
  '/api/trpc/session.read,settlements.files.preview',
  '/api/trpc/settlements%2Efiles.preview',
  '/api/trpc/session.read%2Csettlements.files.preview',
  '/api/trpc//settlements.files.preview/',
  '/api/graphql',
  '/api/export/payments',
])('%s is answered where no payment waits', (path) => {
  expect(isReportingPath(path)).toBe(true);
});

test.each([
  '/v1/payments/initiate',
  '/api/trpc/settlements.list',
  '/api/trpc/settlements.files.list',
  '/api/trpc/refunds.list',
  '/api/trpc/%',
  '/settlements/files',
])('%s is answered by the web process', (path) => {
  expect(isReportingPath(path)).toBe(false);
});
