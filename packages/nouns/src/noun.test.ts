import { Prisma } from '@switchyard/db/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exported } from './exported-list.ts';
import { amount, code, decimal, moment, oneOf, text } from './fields.ts';
import * as by from './filters.ts';
import { conditionsOf, defineNoun, isListed, listOf } from './noun.ts';

const STATES = ['OPEN', 'CLOSED'] as const;
const ID = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e99';

const cases = defineNoun({
  title: 'Cases',
  permission: 'case:read',
  table: 'court_case',
  order: 'time',
  period: ({ date }) => (date === 'heard' ? 'days' : 'created'),
  added: ({ search }) => (search === null ? [] : ['found_by']),
  fields: {
    merchant_id: code('The merchant.'),
    created_at: moment('When it was opened.'),
    case_id: code('Its id.', 'p.id'),
    state: oneOf('Its state', STATES),
    amount: amount('The amount.'),
    cost: decimal('What it cost.', undefined, 'cost_currency'),
    words: text('What was said.'),
  },
  moreFields: { found_by: text('What found it.') },
  filter: {
    ...by.timed(),
    states: by.anyOf('States.', STATES, ['p.state', 'case_state']),
    courts: by.namesOrNone('Courts.', 100, 'p.court'),
    accountIds: by.ids('Accounts.', 'p.account_id'),
    ownerId: by.id('The owner.', 'p.owner_id'),
    unowned: by.whether('Without an owner.', 'p.owner_id IS NULL'),
    won: by.eitherOf('Whether won.', 'p.won', 'p.won IS NOT TRUE'),
    appealed: by.only('Only appealed ones.', 'p.appealed'),
    amountFrom: by.atLeast('Smallest.', 'p.amount', 'int8'),
    amountTo: by.atMost('Largest.', 'p.amount', 'int8'),
    from: by.sinceDay('First day.', 'p.heard_on'),
    to: by.untilDay('Last day.', (day) => [Prisma.sql`(p.heard_on IS NULL OR p.heard_on <= ${day}::date)`]),
    text: by.words('Words.', (word) => [Prisma.sql`strpos(p.words, ${word}) > 0`]),
    search: by.words('What to look up.'),
  },
  where: ({ states = [], text: word = null }) => (states.length > 0 && word !== null ? [Prisma.sql`p.indexed`] : []),
});

const parse = (filter: object) => cases.filter.parse({ mode: 'live', ...filter });
const textOf = (filter: object) => conditionsOf(cases, parse(filter)).map((sql) => sql.text.replaceAll(/\$\d+/g, '?'));
const NONE = ['p.mode = ?::mode'];

test.each<[object, string[]]>([
  [{}, []],
  [{ states: ['OPEN'] }, ['p.state = ?::case_state']],
  [{ states: ['OPEN', 'CLOSED'] }, ['p.state = ANY (?::case_state[])']],
  [{ courts: ['NONE', 'High Court'] }, ['p.court = ANY (?::text[])']],
  [{ accountIds: [ID] }, ['p.account_id = ?::uuid']],
  [{ ownerId: ID }, ['p.owner_id = ?::uuid']],
  [{ unowned: false }, ['(p.owner_id IS NULL) = ?::boolean']],
  [{ won: true }, ['p.won']],
  [{ won: false }, ['p.won IS NOT TRUE']],
  [{ appealed: true }, ['p.appealed']],
  [{ appealed: false }, []],
  [{ amountFrom: 0, amountTo: 5 }, ['p.amount >= ?::int8', 'p.amount <= ?::int8']],
  [{ createdFrom: '2026-11-01T00:00:00Z' }, ['p.created_at >= ?::timestamptz']],
  [{ createdTo: new Date() }, ['p.created_at < ?::timestamptz']],
  [{ from: '2026-11-01', to: '2026-11-30' }, ['p.heard_on >= ?::date', '(p.heard_on IS NULL OR p.heard_on <= ?::date)']],
  [{ text: '' }, ['strpos(p.words, ?) > 0']],
  [{ text: 'oath', states: ['OPEN'] }, ['p.state = ?::case_state', 'strpos(p.words, ?) > 0', 'p.indexed']],
  [{ search: 'oath' }, []],
])('%j sets its conditions', (filter, expected) => {
  expect(textOf(filter)).toEqual([...NONE, ...expected]);
});

test('what is left out, null and an empty list match any', () => {
  const names = Object.keys(cases.shape).filter((name) => name !== 'mode');
  fc.assert(
    fc.property(fc.subarray(names), (left) => {
      const filter = Object.fromEntries(left.map((name) => [name, Reflect.get(parse({}), name)]));
      return textOf(filter).join() === NONE.join();
    }),
  );
  expect(conditionsOf(cases, {})).toEqual([]);
});

test.each<[object, RegExp]>([
  [{ states: ['LOST'] }, /states/],
  [{ accountIds: ['zz'] }, /must be a UUID/],
  [{ courts: ['\u0000'] }, /must be plain text/],
  [{ amountFrom: -1 }, /amountFrom/],
  [{ from: '2026-13-01' }, /must be a day/],
  [{ stages: [] }, /stages/],
  [{ mode: 'dry' }, /mode/],
])('%j is refused by its name', (filter, problem) => {
  expect(exported(cases).read({ mode: 'live', ...filter })).toEqual({ problem: expect.stringMatching(problem) });
});

test('amounts are whole numbers of JSON or of GraphQL', () => {
  expect(parse({ amountFrom: 5 })).toEqual(parse({ amountFrom: 5n }));
  expect(cases.filter.safeParse({ mode: 'live', amountFrom: 1.5 }).success).toBe(false);
});

test('ids are read in lower case, and NONE as none', () => {
  expect(parse({ ownerId: ID.toUpperCase(), courts: ['NONE'] })).toMatchObject({ ownerId: ID, courts: [''] });
});

test('a list is of its merchants, whose rows can be told in one condition', () => {
  const filter = { merchantIds: [ID], mode: 'test', states: ['OPEN'] } as const;
  expect(listOf(cases, filter)).toMatchObject({ table: 'court_case', merchantIds: [ID], by: 'merchant' });
  expect(isListed(cases, filter).sql).toBe('p.merchant_id = ANY (?::uuid[]) AND p.mode = ?::mode AND p.state = ?::case_state');
});

test('a field is the column of its name unless SQL is given', () => {
  const sqlOf = Object.fromEntries(cases.fields.map(({ name, sql }) => [name, sql]));
  expect(sqlOf).toMatchObject({ merchant_id: 'p.merchant_id', case_id: 'p.id', cost: 'trim_scale(p.cost)::text' });
  expect(cases.fields.find(({ name }) => name === 'state')?.about).toBe('Its state: OPEN or CLOSED.');
  expect(cases.fields.find(({ name }) => name === 'cost')?.value).toEqual({ is: 'amount', currency: 'cost_currency' });
});

test('a file has the columns of its filter, and those that are named', async () => {
  const list = exported(cases);
  const columnsOf = async (filter: object) => {
    const request = list.read({ mode: 'live', ...filter });
    if ('problem' in request) throw new Error(request.problem);
    const { columns } = await request.file({} as Parameters<typeof request.file>[0], [ID]);
    return columns.map(({ name }) => name).slice(-2);
  };
  expect(await columnsOf({})).toEqual(['cost', 'words']);
  expect(await columnsOf({ search: 'oath' })).toEqual(['words', 'found_by']);
  expect(list.moreColumns.map(({ name }) => name)).toEqual(['found_by']);
});

test('a period is of when rows were recorded, or of days', () => {
  const period = {
    firstDay: '2026-11-01',
    lastDay: '2026-11-30',
    from: new Date('2026-10-31T23:00:00Z'),
    to: new Date('2026-11-30T23:00:00Z'),
  };
  expect(exported(cases).within(period, {})).toEqual({
    createdFrom: '2026-10-31T23:00:00.000Z',
    createdTo: '2026-11-30T23:00:00.000Z',
  });
  expect(exported(cases).within(period, { date: 'heard' })).toEqual({ from: '2026-11-01', to: '2026-11-30' });
});

test('a field of a filter that is no field of a noun is a mistake', () => {
  expect(() => by.filterField(by.plainText(5))).toThrow('made by `field`');
});
