import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ChangeHealthThresholdsCommand, changeHealthThresholds } from './change-thresholds.ts';

const actor = 'staff:ada';
let context: TestContext;
let merchantId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());
beforeEach(async () => {
  merchantId = await testMerchant(context);
});

function change(given: Partial<ChangeHealthThresholdsCommand>) {
  return changeHealthThresholds(context, { merchantId, mode: 'test', changes: {}, revision: 0, actor, ...given });
}
function inForce() {
  return context.resources.configuration.merchant(merchantId)?.healthThresholds;
}
function audit() {
  const where = { tenantId: merchantId, objectType: 'health_thresholds' };
  return context.database.prisma.auditEntry.findMany({ where, orderBy: { position: 'asc' } });
}

test('a change is in force at once, for its mode alone, and on record with who made it', async () => {
  expect(await change({ changes: { minSamples: 20, downShare: 0.5 } })).toEqual({ kind: 'changed', revision: 1 });
  expect(inForce()).toMatchObject({ test: { changes: { minSamples: 20 }, revision: 1, updatedBy: actor } });
  expect(inForce()?.live).toBeUndefined();
  expect(await audit()).toMatchObject([{ actor, action: 'health_thresholds.changed', before: {}, after: { minSamples: 20 } }]);
});

test('a change replaces all earlier changes, and an empty one restores the defaults', async () => {
  await change({ changes: { minSamples: 20, hardFaults: 3 } });
  await change({ changes: { hardFaults: 4 }, revision: 1 });
  expect(inForce()?.test?.changes).toEqual({ hardFaults: 4 });
  expect(await change({ revision: 2 })).toEqual({ kind: 'changed', revision: 3 });
  expect(inForce()?.test?.changes).toEqual({});
  expect((await audit()).map(({ action }) => action)).toEqual([
    'health_thresholds.changed',
    'health_thresholds.changed',
    'health_thresholds.reset',
  ]);
});

test('requesting the thresholds in force writes nothing', async () => {
  await change({ changes: { minSamples: 20, hardFaults: 3 } });
  expect(await change({ changes: { hardFaults: 3, minSamples: 20 }, revision: 1 })).toEqual({ kind: 'unchanged', revision: 1 });
  expect(await audit()).toHaveLength(1);
});

test('thresholds that are out of bounds or contradict each other change nothing', async () => {
  const outcome = await change({ changes: { minSamples: 0, degradedShare: 0.01 } });
  expect(outcome).toMatchObject({ kind: 'invalid', problems: [{ field: 'minSamples' }, { field: 'degradedShare' }] });
  expect(await change({ changes: { degradedShare: 0.9 } })).toMatchObject({
    kind: 'invalid',
    problems: [{ field: 'degradedShare', message: 'must not be above the share for down' }],
  });
  expect(inForce()).toEqual({});
});

test('of two concurrent changes, the second is refused as stale', async () => {
  await change({ changes: { minSamples: 20 } });
  expect(await change({ changes: { minSamples: 30 } })).toEqual({ kind: 'stale', revision: 1, updatedBy: actor });
  expect(inForce()?.test?.changes).toEqual({ minSamples: 20 });
});

test('a merchant that does not exist has no thresholds', async () => {
  expect(await change({ merchantId: context.newId() })).toEqual({ kind: 'not_found' });
});
