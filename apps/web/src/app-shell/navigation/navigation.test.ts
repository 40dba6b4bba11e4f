import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../commands/commands.ts';
import { findCommands } from '../commands/find-commands.ts';
import { NAVIGATION } from './navigation.ts';

const ENTRIES = NAVIGATION.flatMap(({ entries }) => entries);
const PAGES = COMMANDS.filter(({ title }) => title === 'Go to');
const firstPage = (text: string) => findCommands(PAGES, text)[0]?.commands[0]?.id;

describe('the words that lead to a page', () => {
  test('are there for each page of the navigation', () => {
    expect(ENTRIES.filter(({ keywords }) => keywords.length === 0)).toEqual([]);
  });

  test('are of one page each, and the name of no other', () => {
    const claims = ENTRIES.flatMap(({ path, label, keywords }) =>
      [label, ...keywords].map((word) => ({ path, word: word.toLowerCase() })),
    );
    const owners = Map.groupBy(claims, ({ word }) => word);
    const shared = [...owners].filter(([, of]) => of.length > 1).map(([word, of]) => `${word}: ${of.map(({ path }) => path)}`);
    expect(shared).toEqual([]);
  });

  test.each(ENTRIES.flatMap(({ path, keywords }) => keywords.map((keyword) => [keyword, path])))(
    '%s finds %s before any other page',
    (keyword, path) => {
      expect(firstPage(keyword)).toBe(`go:${path}`);
    },
  );

  test.each([
    ['fees', '/fees'],
    ['drain', '/health'],
    ['outage', '/health'],
    ['webhook secret', '/webhooks'],
    ['CSV', '/reports'],
    ['chargeback', '/disputes'],
    ['payout', '/settlements'],
    ['bank statement', '/settlements'],
    ['month end', '/month-close'],
    ['bookkeeping', '/journal'],
    ['journal', '/journal'],
    ['api key', '/keys'],
    ['invite', '/team'],
    ['alert', '/alerts'],
    ['erase customer', '/privacy'],
    ['erase a customer', '/privacy'],
    ['mcp', '/developers'],
    ['limits', '/gateways'],
  ])('include those that people use: %s leads to %s', (text, path) => {
    expect(firstPage(text)).toBe(`go:${path}`);
  });
});
