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

test('the export has the filters of the list', () => {
  const filters = { ...NONE, actor: ['staff:a', 'system'], object: ' p1 ', from: '2026-11-20' };
  const query = new URL(exportHref(SCOPE, filters, 'csv'), 'http://localhost').searchParams;
  expect(query.getAll('actor')).toEqual(['staff:a', 'system']);
  expect(Object.fromEntries(query)).toMatchObject({
    format: 'csv',
    merchantId: 'm1',
    objectId: 'p1',
    from: '2026-11-19T23:00:00.000Z',
  });
  expect(query.has('to')).toBe(false);
});

test.each([[{ actor: ['system'] }], [{ object: 'p1' }], [{ to: '2026-11-21' }], [{ workspace: true }]])(
  '%j is a filter',
  (change) => {
    expect([isFiltered(NONE), isFiltered({ ...NONE, ...change })]).toEqual([false, true]);
  },
);
