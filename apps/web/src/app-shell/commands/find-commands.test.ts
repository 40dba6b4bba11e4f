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

  test('what begins with the text before what merely holds it', () => {
    const groups = [{ title: 'Do', commands: [command('Show teams'), command('Team')] }];
    expect(findCommands(groups, 'team')[0]?.commands.map(({ label }) => label)).toEqual(['Team', 'Show teams']);
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
