import { expect, test } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import type { Kind } from '../copy.ts';
import { type AccountDraft, newDraft } from './account-draft.ts';
import { toSettings, useAccountForm } from './use-account-form.ts';

const page = openHookPage('');
const KIND: Kind = {
  name: 'kora',
  title: 'Kora',
  fields: [{ name: 'secretKey', label: 'Secret key', help: null, secret: true, required: true }],
  currencies: ['NGN'],
  methods: ['CARD', 'TRANSFER'],
  minAmount: 100,
  maxAmount: null,
  publishedFees: [],
};
const DRAFT = newDraft(KIND, []);
const open = (draft: AccountDraft = DRAFT) => page.render(() => useAccountForm(draft, KIND, true));

test('a problem is shown once its field was left, not while it is typed', async () => {
  const { result, act } = await open();
  await act(() => result.current.change({ ...DRAFT, label: 'No label' }));
  expect([...result.current.problems.keys()]).toEqual([]);
  await act(() => result.current.leave('label'));
  expect([...result.current.problems.keys()]).toEqual(['label']);
});

test('submitting shows every problem, and is refused while there is one', async () => {
  const { result, act } = await open({ ...DRAFT, methods: [] });
  await act(() => expect(result.current.check()).toBe(false));
  expect([...result.current.problems.keys()]).toEqual(['methods', 'credentials.secretKey']);
  await act(() => result.current.change({ ...DRAFT, credentials: { secretKey: 'sk_live_1' } }));
  await act(() => expect(result.current.check()).toBe(true));
});

test('what the server refused is shown beside its field until the form changes', async () => {
  const { result, act } = await open();
  await act(() => result.current.refuse([{ field: 'label', message: 'is taken' }]));
  expect(result.current.problems.get('label')).toBe('is taken');
  await act(() => result.current.change({ ...DRAFT, label: 'kora-2' }));
  expect(result.current.problems.get('label')).toBeUndefined();
});

test('the form is dirty from the first change, and begins without problems again', async () => {
  const { result, act } = await open();
  expect(result.current.isDirty).toBe(false);
  await act(() => result.current.change({ ...DRAFT, label: 'No label' }));
  await act(() => void result.current.check());
  expect([result.current.isDirty, result.current.problems.size > 0]).toEqual([true, true]);
  await act(() => result.current.begin({ ...DRAFT, label: 'No label' }));
  expect(result.current.problems.size).toBe(0);
});

test('settings are sent in the gateway’s order of methods, with null for no address', async () => {
  const { result } = await open({ ...DRAFT, methods: ['TRANSFER', 'CARD'] });
  expect(toSettings(result.current.draft, result.current.read, KIND)).toMatchObject({
    methods: ['CARD', 'TRANSFER'],
    minAmount: 100,
    maxAmount: null,
    baseUrl: null,
  });
});
