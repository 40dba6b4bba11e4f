import { IconUsers } from '@tabler/icons-react';
import { describe, expect, test } from 'vitest';
import type { Command, CommandGroup } from './commands.ts';
import { findCommands } from './find-commands.ts';

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
