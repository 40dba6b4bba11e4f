import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { missingMode, paymentWithoutMode } from './mode-of-address.ts';

const OBJECT = '01a1fd53-af76-7e66-9dbf-f0989df2b9f7';
const ADMIN = join(import.meta.dirname, '../app/(admin)');

/** Every page whose address has to name a mode, according to the pages' own files. */
const scoped = readdirSync(ADMIN, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('page.tsx'))
  .filter((name) => /(?:require|merchant)Scope\(['`]/.test(readFileSync(join(ADMIN, name), 'utf8')))
  .map((name) => `/${relative(ADMIN, join(ADMIN, name, '..'))}`.replaceAll(/\[\w+\]/g, OBJECT));

describe('an address without a mode', () => {
  test('of any page that shows one lacks the mode last chosen', () => {
    expect(scoped.length).toBeGreaterThan(10);
    for (const path of scoped) {
      expect([path, missingMode(path, null, 'live'), missingMode(path, 'nonsense', undefined)]).toEqual([path, 'live', 'test']);
    }
  });

  test.each([
    ['/overview', 'live'],
    ['/payments/01a1fd53-af76-7e66-9dbf-f0989df2b9f7', null],
    ['/sign-in', null],
    ['/docs', null],
    ['/', null],
  ])('lacks none at %s with mode %j', (path, mode) => {
    expect(missingMode(path, mode, 'live')).toBeNull();
  });
});

test('a payment whose address names no mode is looked up for it, and no other page', () => {
  expect(paymentWithoutMode(`/payments/${OBJECT}`, null)).toBe(OBJECT);
  expect(paymentWithoutMode(`/payments/${OBJECT}`, 'production')).toBe(OBJECT);
  expect(paymentWithoutMode(`/payments/${OBJECT}`, 'live')).toBeNull();
  for (const path of ['/payments', `/payments/${OBJECT}/in-its-mode`, `/merchants/${OBJECT}`, '/overview']) {
    expect(paymentWithoutMode(path, null)).toBeNull();
  }
});

test('no link within the dashboard leaves its mode to a redirect', () => {
  const source = join(import.meta.dirname, '..');
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    // The page for a wrong address has no scope.
    (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && name !== 'components/page/nothing-here.tsx',
  );
  const bare = names.flatMap((name) => {
    const links = readFileSync(join(source, name), 'utf8').matchAll(
      /(?:href=\{?|(?:push|replace)\()['"`](\/[a-z][^'"`?$]*)(?!\?mode=)(?=['"`?$])/g,
    );
    return [...links].flatMap(([, path = '']) =>
      missingMode(path.replace(/\/$/, ''), null, undefined) === null && !path.startsWith('/payments/')
        ? []
        : [`${name}: ${path}`],
    );
  });
  expect(bare).toEqual([]);
});
