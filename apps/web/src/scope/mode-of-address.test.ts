import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { modeLacking } from './mode-of-address.ts';

const ADMIN = join(import.meta.dirname, '../app/(admin)');

/** Every page whose address has to name a mode, according to the pages' own files. */
const scoped = readdirSync(ADMIN, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('page.tsx') && !name.includes('['))
  .filter((name) => /(?:require|merchant)Scope\('/.test(readFileSync(join(ADMIN, name), 'utf8')))
  .map((name) => `/${relative(ADMIN, join(ADMIN, name, '..'))}`);

describe('an address without a mode', () => {
  test('of any page that shows one lacks the mode last chosen', () => {
    expect(scoped.length).toBeGreaterThan(10);
    for (const path of scoped) {
      expect([path, modeLacking(path, null, 'live'), modeLacking(path, 'nonsense', undefined)]).toEqual([path, 'live', 'test']);
    }
  });

  test.each([
    ['/overview', 'live'],
    ['/payments/01a1fd53-af76-7e66-9dbf-f0989df2b9f7', null],
    ['/merchants/01a1fd53-af76-7e66-9dbf-f0989df2b9f7', null],
    ['/sign-in', null],
    ['/docs', null],
    ['/', null],
  ])('lacks none at %s with mode %j', (path, mode) => {
    expect(modeLacking(path, mode, 'live')).toBeNull();
  });
});
