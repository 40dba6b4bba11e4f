// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { button, factsIn, hrefOf, openDashboard, tableOf, textOf } from '#/testing/dashboard.tsx';
import { AuditPage } from './audit-page.tsx';
import type { AuditEntry } from './use-audit.ts';

const page = openDashboard('?mode=test', '/audit');
const AT = new Date('2024-11-21T13:02:11.123Z');
const ENTRY = {
  entryId: 'e-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  position: 1_234,
  action: 'gateway_account.credentials_replaced',
  actor: 'staff:s-1',
  actorName: 'Ada Obi',
  objectType: 'gateway_account',
  objectId: '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11',
  objectName: 'paystack-main',
  before: { label: 'old', enabled: true, limits: { max: null } },
  after: { label: 'new', enabled: true, limits: { max: 5 } },
  createdAt: AT,
} as AuditEntry;
const WORKSPACE = {
  ...ENTRY,
  entryId: 'e-2',
  merchantId: null,
  merchantName: null,
  action: 'staff.invited',
  objectType: 'staff',
  objectName: null,
  before: null,
  after: null,
} as AuditEntry;
const CHAINS = [
  { merchantId: null, name: 'the workspace', position: 2, hash: 'aa' },
  { merchantId: 'm-1', name: 'Balogun Books', position: 1, hash: 'bb' },
];
const verified = (count: number) => ({ kind: 'verified', count, head: { position: count, hash: 'cc' }, at: AT });

beforeEach(() => {
  page.allow('audit:read');
  page.on('audit.list', () => ({ items: [ENTRY, WORKSPACE], next: null }));
  page.on('audit.count', () => ({ count: 2, more: false }));
  page.on('audit.chains', () => []);
  page.on('audit.choices', () => ({
    actors: [{ actor: 'staff:s-1', name: 'Ada Obi' }],
    actions: ['staff.invited', 'gateway_account.credentials_replaced'],
    objectTypes: ['staff'],
  }));
});
const showPage = () => page.show(<AuditPage />);
const lastInput = () => page.calls('audit.list').at(-1);

describe('the log', () => {
  test('says who did what to which object, of which merchant', async () => {
    showPage();
    const [header, ...rows] = await tableOf('Audit log');
    expect(header).toEqual(['Action', 'Actor', 'Object', 'Merchant', 'Time']);
    expect(rows).toEqual([
      ['Replaced gateway credentials', 'Ada Obi', 'Gateway account paystack-main', 'Balogun Books', '21 Nov 2024, 14:02'],
      ['Invited team member', 'Ada Obi', 'Person 7c9e11', 'Workspace', '21 Nov 2024, 14:02'],
    ]);
    screen.getByText('2 entries');
  });

  test('is sorted by time at the server', async () => {
    const user = showPage();
    await tableOf('Audit log');
    expect(lastInput()).toMatchObject({ merchantId: null, workspace: false, newestFirst: true });
    await user.click(within(await screen.findByRole('table')).getByRole('button', { name: 'Time' }));
    await waitFor(() => expect(lastInput()).toMatchObject({ newestFirst: false }));
  });

  test('is filtered by people, actions, kinds and the workspace, each named on its menu', async () => {
    const user = showPage();
    await tableOf('Audit log');
    await user.click(button('Actor'));
    await user.click(await screen.findByRole('checkbox', { name: 'Ada Obi' }));
    await user.keyboard('{Escape}');
    await user.click(button('Action'));
    await user.click(await screen.findByRole('checkbox', { name: 'Replaced gateway credentials' }));
    await user.keyboard('{Escape}');
    await user.click(button('Workspace only'));
    await waitFor(() =>
      expect(lastInput()).toMatchObject({
        actors: ['staff:s-1'],
        actions: ['gateway_account.credentials_replaced'],
        workspace: true,
      }),
    );
    button(/^Actor Ada Obi/);
    expect(button('Workspace only').getAttribute('aria-pressed')).toBe('true');
    await user.click(button('Clear'));
    await waitFor(() => expect(page.search()).toBe('?mode=test'));
  });

  test('finds one of many actions by its words', async () => {
    page.on('audit.choices', () => ({
      actors: [],
      actions: Array.from({ length: 9 }, (_, index) => (index === 4 ? 'rule_set.published' : `thing_${index}.changed`)),
      objectTypes: [],
    }));
    const user = showPage();
    await tableOf('Audit log');
    await user.click(button('Action'));
    await user.type(await screen.findByRole('searchbox', { name: 'Find in: Action' }), 'publ');
    expect(screen.getAllByRole('checkbox').map((box) => textOf(box.parentElement as HTMLElement))).toEqual(['Published rules']);
    await user.type(screen.getByRole('searchbox'), 'x');
    screen.getByText('No matches.');
  });

  test('that is empty says why, and takes filters back', async () => {
    page.on('audit.list', (input) => ({ items: (input as { workspace: boolean }).workspace ? [] : [ENTRY], next: null }));
    const user = showPage();
    await tableOf('Audit log');
    await user.click(button('Workspace only'));
    await screen.findByRole('heading', { name: 'No entries match these filters' });
    await user.click(button('Clear the filters'));
    await tableOf('Audit log');
  });

  test('that could not be read says why, without filters and without a verification', async () => {
    page.on('audit.chains', () => CHAINS);
    page.on('audit.list', () => {
      throw new Error('The database is unavailable.');
    });
    const user = showPage();
    await screen.findByText('The database is unavailable.');
    expect(screen.queryByRole('button', { name: 'Verify' })).toBeNull();
    page.on('audit.list', () => ({ items: [ENTRY], next: null }));
    await user.click(button('Try again'));
    await tableOf('Audit log');
  });

  test('is exported with its filters, in two forms', async () => {
    const user = showPage();
    await tableOf('Audit log');
    await user.click(button('Workspace only'));
    await user.click(button('Export'));
    await screen.findByRole('dialog', { name: 'Export' });
    expect([hrefOf(/^XLSX/), hrefOf(/^CSV/), hrefOf(/^NDJSON/)]).toEqual([
      '/audit/export?format=xlsx&workspace=true',
      '/audit/export?format=csv&workspace=true',
      '/audit/export?format=ndjson&workspace=true',
    ]);
  });
});

describe('an entry', () => {
  async function open(name: string) {
    const user = showPage();
    await user.click(await screen.findByRole('button', { name }));
    return { user, panel: await screen.findByRole('complementary', { name: 'Entry' }) };
  }
  const changes = () =>
    within(screen.getByRole('region', { name: 'Before and after' }))
      .getAllByRole('row')
      .map(textOf);

  test('says exactly who, when and what, and what it was before and after', async () => {
    const { user, panel } = await open('Replaced gateway credentials');
    expect(factsIn(panel)).toMatchObject({
      Action: 'gateway_account.credentials_replaced',
      Entry: '1,234',
      Time: expect.stringMatching(/^Thu, 21 Nov 2024(,| at) 14:02:11\.123/),
    });
    expect(changes()).toEqual(['FieldBeforeAfter', 'labelChangedoldnew', 'limits.maxChangednull5']);
    await user.click(within(panel).getByRole('button', { name: 'Show 1 field that stayed the same' }));
    expect(changes()).toContain('enabledSametruetrue');
    await user.click(within(panel).getByRole('button', { name: 'Show only what changed' }));
    expect(changes()).toHaveLength(3);
  });

  test('leads to all entries of the person, and of the object', async () => {
    await open('Replaced gateway credentials');
    expect(hrefOf('Ada Obi')).toBe('/audit?mode=test&actor=staff%3As-1');
    expect(hrefOf('All changes of this object')).toBe('/audit?mode=test&object=0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11');
  });

  test('without values says so; the keyboard goes to the next and back', async () => {
    const { user, panel } = await open('Invited team member');
    within(panel).getByText('No fields were recorded with it.');
    expect(button('Older entry (j)').disabled).toBe(true);
    await user.keyboard('k');
    await waitFor(() => expect(page.search()).toBe('?mode=test&entry=e-1'));
  });
});

describe('the chain', () => {
  const state = () => screen.findByRole('region', { name: 'Integrity of the log' });

  test('is verified by itself while it is short, and says how many entries hold', async () => {
    page.on('audit.chains', () => CHAINS);
    page.on('audit.verify', (input) => verified((input as { merchantId: string | null }).merchantId === null ? 2 : 1));
    showPage();
    await screen.findByText('Chain verified');
    expect(textOf(within(await state()).getByRole('status'))).toBe(
      'Chain verified: 3 entries in 2 logs, none changed, missing or moved. 21 Nov 2024, 14:02',
    );
  });

  test('that does not hold says where and why, and the details too', async () => {
    page.on('audit.chains', () => CHAINS);
    page.on('audit.verify', (input) =>
      (input as { merchantId: string | null }).merchantId === null
        ? verified(2)
        : { kind: 'broken', position: 1_234, why: 'missing', at: AT },
    );
    const user = showPage();
    await screen.findByText('The log of Balogun Books failed verification');
    expect(textOf(within(await state()).getByRole('status'))).toBe(
      'The log of Balogun Books failed verification at entry 1,234: it is missing.',
    );
    await user.click(button('Details'));
    expect(
      within(await state())
        .getAllByRole('listitem')
        .map(textOf),
    ).toEqual(['the workspace2 entries, holdsworkspace:2:cc', 'Balogun BooksBroken at entry 1,234m-1:1:bb']);
  });

  test('that is long is verified only when asked', async () => {
    page.on('audit.chains', () => [{ ...CHAINS[0], position: 20_001 }]);
    page.on('audit.verify', () => verified(20_001));
    const user = showPage();
    await screen.findByText('20,001 entries not verified yet');
    expect(page.calls('audit.verify')).toEqual([]);
    await user.click(button('Verify'));
    await screen.findByText('Chain verified');
  });

  test('that could not be verified says why, and is not said to hold', async () => {
    page.on('audit.chains', () => CHAINS);
    page.on('audit.verify', () => {
      throw new Error('The server does not answer.');
    });
    showPage();
    await screen.findByText('The server does not answer.');
    expect(screen.queryByText('Chain verified')).toBeNull();
  });
});
