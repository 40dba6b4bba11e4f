import { expect, test } from 'vitest';
import type { Scope } from '#/scope/scope.ts';
import { type AuditFilters, exportHref, isFiltered, toAuditFilter } from './filters.ts';

const SCOPE: Scope = { mode: 'test', merchantId: 'm1' };
const NONE: AuditFilters = { actor: [], action: [], kind: [], object: '', from: '', to: '', workspace: false };

test('days become moments of the zone, the last day included', () => {
  const { from, to } = toAuditFilter(SCOPE, { ...NONE, from: '2026-11-20', to: '2026-11-21' });
  expect([from?.toISOString(), to?.toISOString()]).toEqual(['2026-11-19T23:00:00.000Z', '2026-11-21T23:00:00.000Z']);
});

test('a day that does not exist and blank text filter nothing', () => {
  expect(toAuditFilter(SCOPE, { ...NONE, from: '2026-02-30', to: 'soon', object: '  ' })).toMatchObject({
    from: null,
    to: null,
    objectId: null,
  });
});

test('the workspace has entries of no merchant', () => {
  expect(toAuditFilter(SCOPE, { ...NONE, workspace: true })).toMatchObject({ merchantId: null, workspace: true });
});

/** Names of the list's filters in the address of the export. */
const PARAMETERS = {
  merchantId: 'merchantId',
  workspace: 'workspace',
  actors: 'actor',
  actions: 'action',
  objectTypes: 'objectType',
  objectId: 'objectId',
  from: 'from',
  to: 'to',
} as const satisfies Record<keyof ReturnType<typeof toAuditFilter>, string>;

test.each<[string, Partial<AuditFilters>]>([
  ['who, what and of which kind', { actor: ['staff:a', 'system'], action: ['rules.published'], kind: ['rule_set', 'draft'] }],
  ['when, and one object', { object: ' p1 ', from: '2026-11-20', to: '2026-11-21' }],
  ['the workspace alone', { workspace: true }],
  ['none', {}],
])('the export has the filters of the list: %s', (_, change) => {
  const filters = { ...NONE, ...change };
  const { searchParams } = new URL(exportHref(SCOPE, filters, 'csv'), 'http://localhost');
  const listed = toAuditFilter(SCOPE, filters);
  const wanted = Object.entries(PARAMETERS).flatMap(([name, parameter]) =>
    [Object.entries(listed).find(([known]) => known === name)?.[1]].flat().flatMap((value) => {
      if (value === null || value === undefined || value === false) return [];
      return [[parameter, value instanceof Date ? value.toISOString() : String(value)]];
    }),
  );
  expect([...searchParams].toSorted()).toEqual([...wanted, ['format', 'csv']].toSorted());
});

test.each([[{ actor: ['system'] }], [{ object: 'p1' }], [{ to: '2026-11-21' }], [{ workspace: true }]])(
  '%j is a filter',
  (change) => {
    expect([isFiltered(NONE), isFiltered({ ...NONE, ...change })]).toEqual([false, true]);
  },
);
