// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { expectProblem, field, openDashboard } from '#/testing/dashboard.tsx';
import type { EditedDraft } from '../draft/use-draft.ts';
import type { LiveRouting } from '../queries/use-routing.ts';
import { TryTab } from './try-tab.tsx';

const page = openDashboard('?mode=test&merchant=m-1');
const EDITED: EditedDraft = Object({
  draft: { draftId: 'd-1', revision: 1 },
  document: { rules: [], defaultOrder: [] },
  saved: { kind: 'saved' },
});
const account = { accountId: 'a-1', label: 'kora-main', gateway: 'kora', methods: ['CARD'], currencies: ['NGN'], enabled: true };
const LIVE: LiveRouting = Object({ accounts: [account], metadataKeys: [], timeZone: 'Africa/Lagos' });
const EVALUATION = {
  decision: { record: { rationale: 'kora-main takes it.', reasons: [] }, plan: [{ accountId: 'a-1' }] },
  rules: [],
  accounts: [],
};

beforeEach(() => {
  page.on('routing.evaluate', () => ({ kind: 'evaluated', draft: EVALUATION, live: EVALUATION, comparison: { same: true } }));
});

test('an amount with a fraction is refused, and no answer for another amount stands beside it', async () => {
  const user = page.show(<TryTab edited={EDITED} live={LIVE} />);
  await screen.findByText('kora-main takes it.');
  await user.clear(field('Amount, NGN'));
  await user.type(field('Amount, NGN'), '50000.50');
  await expectProblem('textbox', 'Amount, NGN', 'Must be a whole amount of at least NGN 1.');
  expect(screen.queryByText('kora-main takes it.')).toBeNull();
  await user.clear(field('Amount, NGN'));
  await user.type(field('Amount, NGN'), '50000');
  await screen.findByText('kora-main takes it.');
  await waitFor(() => expect(page.calls('routing.evaluate').at(-1)).toMatchObject({ payment: { amount: 50_000 } }));
});
