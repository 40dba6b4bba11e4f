import { describe, expect, test } from 'vitest';
import { diffValues } from './entry-panel.tsx';

const shown = (before: unknown, after: unknown) =>
  diffValues(before, after).map(({ path, kind, before: was, after: is }) => [path, kind, was, is]);

describe('a change is listed field by field', () => {
  test('added, removed, changed and unchanged values', () => {
    const before = { name: 'Old', limits: { min: 1, max: null }, tags: ['a', 'b'] };
    const after = { name: 'New', limits: { min: 1, max: 5 }, tags: ['a'], on: true };
    expect(shown(before, after)).toEqual([
      ['name', 'changed', 'Old', 'New'],
      ['limits.min', 'same', '1', '1'],
      ['limits.max', 'changed', 'null', '5'],
      ['tags.0', 'same', 'a', 'a'],
      ['tags.1', 'removed', 'b', null],
      ['on', 'added', null, 'true'],
    ]);
  });

  test('of a created object, of a deleted object, and of no change', () => {
    expect(shown(null, { role: 'owner' })).toEqual([['role', 'added', null, 'owner']]);
    expect(shown({ role: 'owner' }, null)).toEqual([['role', 'removed', 'owner', null]]);
    expect(shown(null, null)).toEqual([]);
    expect(shown({ list: [] }, { list: {} })).toEqual([['list', 'changed', '[]', '{}']]);
  });
});
