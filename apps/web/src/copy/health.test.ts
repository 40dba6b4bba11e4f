import { expect, test } from 'vitest';
import { describeSharedOutage, healthReasonText } from './health.ts';

const since = '2026-11-20T23:40:00.000Z';

test('why an account is in its state has its times in the zone of the page', () => {
  const why = { code: 'probing', gateway: 'Paystack', method: 'CARD', since, answered: 1, needed: 3 } as const;
  expect(healthReasonText({ why })).toBe('Probing since 00:40: 1 of 3 probe payments succeeded so far (Paystack, card).');
});

test('trouble of several gateways names each with when it began, and what is likely the cause', () => {
  const began = Date.parse('2026-11-20T14:02:00Z');
  const gateways = [
    { gateway: 'Paystack', since: began },
    { gateway: 'Flutterwave', since: began + 60_000 },
  ];
  expect(describeSharedOutage({ method: 'CARD', gateways })).toBe(
    'Trouble with card at 2 gateways at once (Paystack since 15:02, Flutterwave since 15:03): the cause is likely card itself, not one gateway.',
  );
  expect(describeSharedOutage({ method: null, gateways })).toContain('the cause is likely something they share');
});
