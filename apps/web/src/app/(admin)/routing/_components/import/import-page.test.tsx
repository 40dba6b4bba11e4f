// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { button, expectCalls, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { describeFile, ImportPage } from './import-page.tsx';

describe('import page', () => {
  const page = openDashboard('?mode=test&merchant=m-1');
  const CREATE = 'routing.drafts.create';
  const FILE = { ruleSet: { rules: [], defaultOrder: ['kora-main'] } };

  beforeEach(() => {
    window.sessionStorage.clear();
    page.on('me', () => ({ access: [{ merchantId: 'm-1', permissions: ['routing:publish'] }] }));
    page.on('merchants.list', () => [{ merchantId: 'm-1', name: 'Yaba Gadgets' }]);
    page.on('routing.live', () => ({ ruleSet: { version: 4 }, accounts: [] }));
  });

  async function showPage() {
    const user = page.show(<ImportPage />);
    await waitFor(() => expect(field('The file').disabled).toBe(false));
    return user;
  }

  test('pasted rules become a draft', async () => {
    page.on(CREATE, () => ({ kind: 'created', draft: { draftId: 'd-1' } }));
    const user = await showPage();
    await user.click(field('The file'));
    await user.paste(JSON.stringify(FILE));
    await user.click(button('Create draft'));
    await expectCalls(page, CREATE, [{ merchantId: 'm-1', mode: 'test', from: { kind: 'file', file: FILE } }]);
    await waitFor(() => expect(page.navigations()).toEqual(['/routing/drafts/d-1?mode=test&merchant=m-1']));
    await waitFor(() => expect(field('The file').value).toBe(''));
  });

  test('a chosen file is shown before it is sent, and what is no file of rules cannot be sent', async () => {
    const user = await showPage();
    await user.upload(screen.getByLabelText('Choose a file'), new File(['[]'], 'rules.json', { type: 'application/json' }));
    await screen.findByText(/has no “ruleSet”/);
    expect([field('The file').value, button('Create draft').disabled]).toEqual(['[]', true]);
  });

  test('problems in the file are listed with their places until it is changed', async () => {
    const problems = [
      { field: 'rules.0.name', message: 'must not be empty' },
      { field: 'defaultOrder.0', message: 'must be an account' },
    ];
    page.on(CREATE, () => ({ kind: 'invalid', problems }));
    const user = await showPage();
    await user.click(field('The file'));
    await user.paste(JSON.stringify(FILE));
    await user.click(button('Create draft'));
    await expectRefusal('Not imported: 2 problems in the file. No draft was created.');
    const list = screen.getByRole('list', { name: 'Problems in the file' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['rules.0.name must not be empty', 'defaultOrder.0 must be an account']);
    await user.type(field('The file'), ' ');
    expect(screen.queryByText(/^Not imported/)).toBeNull();
    expect(screen.queryByRole('list', { name: 'Problems in the file' })).toBeNull();
  });
});

test('a file is summarised by its rules, its origin and the accounts it names', () => {
  const ruleSet = {
    rules: [
      {
        then: {
          strategy: 'weighted',
          split: [
            { account: 'paystack-main', percent: 70 },
            { account: 'flutterwave-main', percent: 30 },
          ],
        },
      },
      { then: { strategy: 'priority', accounts: ['flutterwave-main'] } },
    ],
    defaultOrder: ['third'],
  };
  const text = JSON.stringify({ schemaVersion: 1, mode: 'test', version: 8, ruleSet });
  expect(describeFile(text)).toMatchObject({
    kind: 'rules',
    rules: 2,
    from: 'exported from version 8 of test mode',
    labels: ['paystack-main', 'flutterwave-main', 'third'],
  });
});

test('any input is summarised without an error', () => {
  expect(describeFile('{"ruleSet":').kind).toBe('not_json');
  expect(describeFile('[]').kind).toBe('other');
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (rules, defaultOrder) => {
      expect(describeFile(JSON.stringify({ ruleSet: { rules, defaultOrder } })).kind).toBe('rules');
    }),
  );
});
