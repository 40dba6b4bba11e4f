import { expect, test } from 'vitest';
import { MUTATIONS } from '../mutations/list.ts';
import { openModel } from './open-model.ts';

const SEEDS_MAX = 300;
const PAYMENTS = 12;

test.each([
  ['an unknown outcome counts as refused', 'opening_denied'],
  ['a lost answer to a refund is a failed refund', 'refund_differs'],
])('a bug is found, and explained in forty lines by the history of one payment: %s', async (name, kind) => {
  const mutation = MUTATIONS.find((one) => one.name === name);
  if (mutation === undefined) throw new Error(`there is no bug ${name}`);
  const model = await openModel([mutation]);
  for (let seed = 1; seed <= SEEDS_MAX; seed += 1) {
    const { kinds } = await model.run(seed, PAYMENTS, { explains: false, shrinks: false });
    if (!kinds.includes(kind)) continue;
    const { report } = await model.run(seed, PAYMENTS, { explains: true, shrinks: true });
    expect(report?.length).toBeLessThanOrEqual(40);
    expect(report?.[0]).toContain(`seed ${seed} breaks`);
    expect(report?.[1]).toMatch(/^[A-Z].+\.$/);
    expect(report?.at(-1)).toBe(`again: npm run simulate:model -- --seed ${seed} --payments ${PAYMENTS} --each ${PAYMENTS}`);
    expect(report?.join('\n')).toMatch(/customer|merchant/);
    return;
  }
  throw new Error(`no world of ${SEEDS_MAX} shows it`);
});
