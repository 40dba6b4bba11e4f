// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { button, expectProblem, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import type { EditedDraft } from '../draft/use-draft.ts';
import type { LiveRouting } from '../queries/use-routing.ts';
import { localTime, PublishPanel, readLocalTime } from './publish-panel.tsx';

describe('publish panel', () => {
  const page = openDashboard('?mode=live&merchant=m-1');
  const PUBLISH = 'routing.drafts.publish';
  const LIVE: LiveRouting = Object({ ruleSet: { version: 4 }, accounts: [] });
  const adopt = vi.fn();

  function showPanel({ isSaved = true } = {}) {
    const edited: EditedDraft = Object({
      draft: { draftId: 'd-1', state: 'DRAFT', scheduleRefusal: null },
      flush: async () => isSaved,
      storedRevision: () => 7,
      adopt,
    });
    return page.show(<PublishPanel edited={edited} live={LIVE} same={false} why={null} />);
  }
  const part = (name: string) => within(screen.getByRole('group', { name: 'Publish at' })).getByRole('textbox', { name });
  const name = () => screen.findByRole('textbox', { name: /enter the merchant's name: Yaba Gadgets/ });

  beforeEach(() => {
    window.sessionStorage.clear();
    adopt.mockReset();
    page.on('routing.versions.list', () => ({ items: [{ version: 4 }], next: null }));
    page.on('merchants.list', () => [{ merchantId: 'm-1', name: 'Yaba Gadgets' }]);
    page.on('routing.access', () => ({ people: [{ staffId: 'ada', name: 'Ada' }], needsApproval: false, approvers: [] }));
  });

  test('rules are published with a reason, in live mode once the merchant is named', async () => {
    page.on(PUBLISH, () => ({ kind: 'published', ruleSet: { version: 5 } }));
    const user = showPanel();
    await user.type(await name(), ' yaba gadgets');
    screen.getByRole('button', { name: 'Publish version 5', description: 'Enter a reason.' });
    await user.type(field('Reason'), ' Fewer fees ');
    await user.click(button('Publish version 5'));
    await waitFor(() => expect(page.toasts()).toEqual(['Version 5 is active for Yaba Gadgets.']));
    expect(page.calls(PUBLISH)).toEqual([{ merchantId: 'm-1', draftId: 'd-1', revision: 7, at: null, reason: 'Fewer fees' }]);
  });

  test('a time in the past is said beside it; a later one schedules', async () => {
    page.on(PUBLISH, () => ({ kind: 'scheduled', draft: { draftId: 'd-1' } }));
    const user = showPanel();
    await user.type(await name(), 'Yaba Gadgets');
    await user.type(field('Reason'), 'Fewer fees');
    await user.click(radio('Schedule'));
    await screen.findByRole('group', { name: 'Publish at' });
    await user.clear(part('Date'));
    await user.type(part('Date'), '1 Jan 2020');
    await user.click(button('Schedule version 5'));
    await expectProblem('group', 'Publish at', 'Is in the past.');
    expect(page.calls(PUBLISH)).toEqual([]);
    await user.clear(part('Date'));
    await user.type(part('Date'), '1 Jan 2099');
    await user.clear(part('Time'));
    await user.type(part('Time'), '02:00');
    await user.click(button('Schedule version 5'));
    await waitFor(() => expect(adopt).toHaveBeenCalledWith({ draftId: 'd-1' }));
    expect(page.calls(PUBLISH)).toMatchObject([{ at: new Date('2099-01-01T01:00:00Z') }]);
  });

  test('a version is published for a share of customers, with the number after those that were tried', async () => {
    page.on('routing.versions.list', () => ({ items: [{ version: 6 }], next: null }));
    page.on('routing.canaries.start', () => ({ kind: 'started', version: 7 }));
    const user = showPanel();
    await user.type(await name(), 'Yaba Gadgets');
    await user.type(field('Reason'), 'Fewer fees');
    await user.click(radio('For a share of customers'));
    screen.getByText(/It decides for 10% of customers, and version 4 for the others/);
    await user.click(await screen.findByRole('button', { name: 'Publish version 7 for 10% of customers' }));
    await waitFor(() => expect(page.toasts()).toEqual(['Version 7 routes 10% of customers of Yaba Gadgets.']));
    const terms = { percent: 10, toleratedLoss: 100, days: 28, reason: 'Fewer fees' };
    expect(page.calls('routing.canaries.start')).toEqual([{ merchantId: 'm-1', draftId: 'd-1', revision: 7, ...terms }]);
    expect(page.calls(PUBLISH)).toEqual([]);
  });

  test('while another version is tried, no second one is', async () => {
    page.on('routing.canaries.start', () => ({ kind: 'already_running', version: 6 }));
    const user = showPanel();
    await user.type(await name(), 'Yaba Gadgets');
    await user.type(field('Reason'), 'Fewer fees');
    await user.click(radio('For a share of customers'));
    await user.click(button('Publish version 5 for 10% of customers'));
    await expectRefusal('Version 6 is tried with a share of customers already. Stop that trial first.');
  });

  test('a refusal is said, and the reason is there again when the page is opened again', async () => {
    page.on(PUBLISH, () => ({ kind: 'stale_base', publishedBy: 'staff:ada', currentVersion: 5 }));
    const user = showPanel();
    await user.type(await name(), 'Yaba Gadgets');
    await user.type(field('Reason'), 'Fewer fees');
    await user.click(button('Publish version 5'));
    await expectRefusal('Ada published version 5 meanwhile. Nothing was overwritten: review the changes first.');
    showPanel();
    await waitFor(() => expect(screen.getAllByDisplayValue('Fewer fees')).toHaveLength(2));
  });

  test('nothing is published while the draft cannot be stored', async () => {
    const user = showPanel({ isSaved: false });
    await user.type(await name(), 'Yaba Gadgets');
    await user.type(field('Reason'), 'Fewer fees');
    await user.click(button('Publish version 5'));
    await expectRefusal('The draft could not be saved first. Try again.');
    expect(page.calls(PUBLISH)).toEqual([]);
  });
});

const minute = fc
  .integer({ min: Date.UTC(2020, 0, 1) / 60_000, max: Date.UTC(2040, 0, 1) / 60_000 })
  .map((minutes) => new Date(minutes * 60_000));

test('a time that is written down is the moment it was written for', () => {
  fc.assert(
    fc.property(minute, (moment) => {
      expect(readLocalTime(localTime(moment))).toEqual(moment);
    }),
  );
});

test('what is no time is none', () => {
  for (const text of ['', 'tomorrow', '2026-02-30T10:00', '2026-11-21', '2026-11-21T25:00', '2026-11-21T10:61']) {
    expect(readLocalTime(text)).toBeNull();
  }
  expect(readLocalTime('2026-11-21T14:30')).toEqual(new Date('2026-11-21T13:30:00Z'));
});
