import { limitsMs } from '@switchyard/gateways/certification';
import { expect, it } from 'vitest';
import { TRY_MAX_MS } from './path/initiate/open-checkout.ts';
import { LOOKUP_TIMEOUT_MS } from './path/initiate/resume-initiation.ts';
import { GATEWAY_TIMEOUT_MS } from './refunds/fetch-refund.ts';

it('a certification holds gateways to the times that payments wait', () => {
  expect(limitsMs).toMatchObject({
    open: TRY_MAX_MS,
    verify: LOOKUP_TIMEOUT_MS,
    refund: GATEWAY_TIMEOUT_MS,
    findRefund: GATEWAY_TIMEOUT_MS,
    listRefunds: GATEWAY_TIMEOUT_MS,
  });
});
