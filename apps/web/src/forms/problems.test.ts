import { expect, test } from 'vitest';
import { onlyChanged } from './problems.ts';

test('only what was changed in the form is sent, whatever its shape', () => {
  const opened = { label: 'kora-main', methods: ['card'], minAmount: 1n, maxAmount: null, fees: { percent: '1.5' } };
  expect(onlyChanged(opened, { ...opened, methods: ['card'], fees: { percent: '1.5' }, minAmount: 1n })).toEqual({});
  expect(onlyChanged(opened, { ...opened, methods: ['card', 'ussd'], minAmount: 2n })).toEqual({
    methods: ['card', 'ussd'],
    minAmount: 2n,
  });
});
