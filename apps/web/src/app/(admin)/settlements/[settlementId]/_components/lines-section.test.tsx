// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SettlementLine, WholeSettlement } from '#/copy/settlements.ts';
import { hrefOf, openDashboard } from '#/testing/dashboard.tsx';
import { LinesSection } from './lines-section.tsx';

const page = openDashboard('?mode=live&merchant=m-1', '/settlements/s-1');

const LINE: SettlementLine = {
  lineId: 'l-1',
  position: 0,
  kind: 'CHARGEBACK',
  amount: '-4000',
  currency: 'NGN',
  reference: 'sy-1',
  transactionId: null,
  description: null,
  occurredAt: null,
  paymentId: 'p-1',
  refundId: null,
  disputeId: 'dispute-1',
  subjects: ['dispute/dispute-1'],
  linkedBy: 'REFERENCE',
  merchantOrderId: 'order-1',
  discrepancyId: 'd-1',
};

const SETTLEMENT = { settlementId: 's-1', currency: 'NGN' } as WholeSettlement;

test('a chargeback leads to its payment, its dispute and what is open about it; other lines have no dispute', async () => {
  const payment: SettlementLine = {
    ...LINE,
    lineId: 'l-2',
    kind: 'PAYMENT',
    amount: '500',
    disputeId: null,
    discrepancyId: null,
  };
  page.server().on('settlements.lines', () => ({ items: [LINE, payment], next: null }));
  page.show(<LinesSection settlement={SETTLEMENT} filters={{ kind: [], unmatched: false }} onChange={() => undefined} />);
  expect(await screen.findAllByRole('link', { name: 'order-1' })).toHaveLength(2);
  expect(hrefOf('Dispute')).toBe('/disputes/dispute-1?mode=live&merchant=m-1');
  expect(hrefOf('Discrepancy')).toContain('discrepancy=d-1');
});
