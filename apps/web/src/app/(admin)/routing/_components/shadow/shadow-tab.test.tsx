// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectCalls, expectRefusal, openDashboard } from '#/testing/dashboard.tsx';
import type { EditedDraft } from '../draft/use-draft.ts';
import type { LiveCheck } from '../queries/use-check.ts';
import type { LiveRouting } from '../queries/use-routing.ts';
import { ShadowTab } from './shadow-tab.tsx';

const page = openDashboard('?mode=test&merchant=m-1');
const START = 'routing.drafts.shadow.start';
const EDITED: EditedDraft = Object({ draft: { draftId: 'd-1', revision: 4, state: 'DRAFT' }, flush: async () => true });
const LIVE: LiveRouting = Object({ accounts: [] });
const check = (blocks: boolean): LiveCheck => Object({ check: { blocks } });

beforeEach(() => page.on('routing.drafts.shadow.report', () => null));

async function showTab({ blocks = false } = {}) {
  const user = page.show(<ShadowTab edited={EDITED} live={LIVE} check={check(blocks)} may onReview={() => undefined} />);
  await screen.findByRole('button', { name: 'Start shadow run' });
  return user;
}

test('a run lasts as long as was chosen', async () => {
  page.on(START, () => ({ kind: 'started' }));
  const user = await showTab();
  await user.click(await screen.findByRole('combobox', { name: /^Run for/ }));
  await user.click(await screen.findByRole('option', { name: '3 days' }));
  await user.click(button('Start shadow run'));
  await expectCalls(page, START, [{ merchantId: 'm-1', draftId: 'd-1', revision: 4, hours: 72 }]);
});

test('why a run did not start is said beside its button', async () => {
  page.on(START, () => ({ kind: 'too_many', limit: 3 }));
  const user = await showTab();
  await user.click(button('Start shadow run'));
  await expectRefusal('3 drafts run in shadow already. Stop one of them first.');
});

test('a draft with errors is not started', async () => {
  await showTab({ blocks: true });
  screen.getByText('Fix the errors on the Rules tab first.');
  expect(button('Start shadow run').disabled).toBe(true);
});
