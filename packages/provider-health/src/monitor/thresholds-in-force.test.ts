import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type HealthFixture, openHealthFixture } from '../testing/health-fixture.ts';
import { changeHealthThresholds } from '../thresholds/change-thresholds.ts';

let fixture: HealthFixture;
beforeAll(async () => {
  fixture = await openHealthFixture();
});
afterAll(() => fixture.context.close());
beforeEach(() => fixture.begin());

test('an account goes by the thresholds of its own mode', async () => {
  const { context, merchant } = fixture;
  const set = (mode: 'test' | 'live', openingTimeoutMaxMs: number) =>
    changeHealthThresholds(context, {
      merchantId: merchant.merchantId,
      mode,
      changes: { openingTimeoutMaxMs },
      revision: 0,
      actor: 'staff:ada',
    });
  expect((await set('live', 3_000)).kind).toBe('changed');
  expect(context.health.openingTimeoutMs(fixture.id('paystack-main'), null)).toBe(8_000);
  expect((await set('test', 4_000)).kind).toBe('changed');
  expect(context.health.openingTimeoutMs(fixture.id('paystack-main'), null)).toBe(4_000);
});
