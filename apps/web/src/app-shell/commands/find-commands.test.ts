import { IconUsers } from '@tabler/icons-react';
import { describe, expect, test, vi } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import { pathInOtherScope } from '../scope/path-in-other-scope.ts';
import type { Command, CommandGroup } from './commands.ts';
import { drainCommands, findCommands, scopeCommands } from './find-commands.ts';

const command = (label: string, words = ''): Command => ({ id: label, label, words, icon: IconUsers, run: () => undefined });
const GROUPS: readonly CommandGroup[] = [
  { title: 'Go to', commands: [command('Reports'), command('Payments', 'money'), command('Team', 'staff people')] },
  { title: 'Do', commands: [command('Invite a person', 'team staff')] },
];
const labels = (text: string) => findCommands(GROUPS, text).map(({ commands }) => commands.map(({ label }) => label));

describe('the command menu finds', () => {
  test('everything, in its order, before anything is typed', () => {
    expect(labels('')).toEqual([['Reports', 'Payments', 'Team'], ['Invite a person']]);
  });

  test('by any words of label, keywords and group, in any order and case', () => {
    expect(labels('STAFF invite')).toEqual([['Invite a person']]);
    expect(labels('go pay')).toEqual([['Payments']]);
  });

  test('by the beginning of the label first, then by its words, then by a keyword, then by other words, then within it', () => {
    const commands = [
      command('Unfeed'),
      command('Costs', 'fee schedule'),
      { ...command('Charges'), keywords: ['fee rates'] },
      command('Gateway fees'),
      command('Fees'),
    ];
    const [found] = findCommands([{ title: 'Go to', commands }], 'fee');
    expect(found?.commands.map(({ label }) => label)).toEqual(['Fees', 'Gateway fees', 'Charges', 'Costs', 'Unfeed']);
  });

  test('groups by the best that is in them, else in their order', () => {
    const groups = [
      { title: 'Go to', commands: [command('Health', 'drain')] },
      { title: 'Override', commands: [command('Drain paystack-main')] },
      { title: 'Do', commands: [command('Plan', 'drain')] },
    ];
    expect(findCommands(groups, 'drain').map(({ title }) => title)).toEqual(['Override', 'Go to', 'Do']);
  });

  test('what is meant without words that mean nothing, which alone are words like others', () => {
    const groups = [{ title: 'Do', commands: [command('Draft new routing rules'), command('Add a merchant')] }];
    const found = (text: string) => findCommands(groups, text).flatMap(({ commands }) => commands.map(({ label }) => label));
    expect(found('new draft of rules')).toEqual(['Draft new routing rules']);
    expect(found('a')[0]).toBe('Add a merchant');
  });

  test('each part of a name: paystack-main by main', () => {
    expect(findCommands([{ title: 'Override', commands: [command('Drain paystack-main')] }], 'main')).toHaveLength(1);
  });

  test('commands that concern any gateway by the name of each registered one, and no others by it', () => {
    const connect: Command = { ...command('Connect an account'), namesGateways: true };
    const groups = [{ title: 'Do', commands: [connect, command('Create an API key')] }];
    expect(findCommands(groups, 'kora', ['Paystack', 'Kora'])[0]?.commands).toEqual([connect]);
    expect(findCommands(groups, 'kora', ['Paystack'])).toEqual([]);
  });

  test('nothing when one word does not match', () => {
    expect(labels('payments zebra')).toEqual([]);
  });
});

const account = (id: string, more: object = {}) => ({
  id,
  label: `${id}-main`,
  gateway: id,
  merchantId: 'm-1',
  merchantName: 'Yaba Gadget Hub',
  enabled: true,
  ...more,
});
const SCOPE = { mode: 'live', merchantId: 'm-1' } as const;
/** Permission at each merchant, and not for all of them. */
const mayAtEach = (_: string, of: string | null) => of !== null;

test('an account is found by its gateway, and its dialog opens with it', () => {
  const commands = drainCommands([account('paystack'), account('kora')], SCOPE, mayAtEach);
  const [found] = findCommands([{ title: 'Override', commands }], 'drain paystack');
  expect(found?.commands.map(({ label }) => label)).toEqual(['Drain paystack-main']);
  const go = vi.fn();
  found?.commands[0]?.run(Object({ go }));
  expect(go.mock.calls).toEqual([['/health', { account: 'paystack', do: 'override' }]]);
});

test('whose account it is stands beside it where all merchants are shown', () => {
  const [command] = drainCommands([account('kora')], { ...SCOPE, merchantId: null }, mayAtEach);
  expect(command?.label).toBe('Drain kora-main of Yaba Gadget Hub');
});

test('no account is offered that is disabled, or of a merchant for whom the person may not', () => {
  const accounts = [account('kora', { enabled: false }), account('paystack', { merchantId: 'm-2' }), account('squad')];
  const commands = drainCommands(accounts, SCOPE, (permission, of) => permission === 'override:set' && of === 'm-1');
  expect(commands.map(({ label }) => label)).toEqual(['Drain squad-main']);
});

test('who may act for all merchants is offered to drain each gateway once', () => {
  const accounts = [account('paystack'), account('paystack', { id: 'other', merchantId: 'm-2' }), account('kora')];
  const commands = drainCommands(accounts, SCOPE, (_, of) => of === null);
  expect(commands.map(({ label }) => label)).toEqual(['Drain Paystack for all merchants', 'Drain Kora for all merchants']);
  const go = vi.fn();
  commands[0]?.run(Object({ go }));
  expect(go.mock.calls).toEqual([['/health', { gateway: 'paystack', do: 'drain-gateway' }]]);
});

describe('scope commands', () => {
  const page = openHookPage('');
  const merchants = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      merchantId: `m-${index}`,
      name: `Merchant ${index}`,
      merchantNumber: `M-${index}`,
    }));
  const labels = (...of: Parameters<typeof scopeCommands>) => scopeCommands(...of).map(({ label }) => label);
  const TOOLS = Object({});

  test('the other mode is offered, and every merchant but the one shown', () => {
    expect(labels({ mode: 'live', merchantId: 'm-0' }, merchants(2), false)).toEqual([
      'Test payments',
      'Merchant 1',
      'All merchants',
    ]);
    expect(labels({ mode: 'test', merchantId: null }, merchants(2), false)).toEqual([
      'Live payments',
      'Merchant 0',
      'Merchant 1',
    ]);
  });

  test('of many merchants none is listed before something is typed', () => {
    const scope = { mode: 'test', merchantId: null } as const;
    expect(labels(scope, merchants(6), false)).toEqual(['Live payments']);
    expect(labels(scope, merchants(6), true)).toHaveLength(7);
  });

  test('another merchant shows the list of this page: what is open may not exist there', () => {
    Object.assign(page.window.location, { pathname: '/payments/p-1' });
    const [, other] = scopeCommands({ mode: 'live', merchantId: null }, merchants(1), false);
    other?.run(TOOLS);
    expect(page.window.location.assign).toHaveBeenLastCalledWith('/payments?mode=live&merchant=m-0');
  });

  test('another mode keeps the merchant, and is remembered for the next visit', () => {
    Object.assign(page.window.location, { pathname: '/routing/drafts/d-1' });
    const [mode] = scopeCommands({ mode: 'live', merchantId: 'm-0' }, [], false);
    mode?.run(TOOLS);
    expect(page.window.location.assign).toHaveBeenLastCalledWith('/routing?mode=test&merchant=m-0');
    expect(Reflect.get(page.window.document, 'cookie')).toMatch(/^mode=test; path=\/; max-age=\d+; samesite=lax$/);
  });

  test.each([
    ['/payments/p-1', '/payments'],
    ['/customers/p-1', '/payments'],
    ['/', '/'],
    ['/overview', '/overview'],
  ])('%s leads to %s', (pathname, path) => {
    expect(pathInOtherScope(pathname)).toBe(path);
  });
});
