import { describe, expect, test } from 'vitest';
import { pathAfterSignIn } from './path-after-sign-in.ts';

describe('where signing in leads', () => {
  test('back to the page that required it, with its query', () => {
    expect(pathAfterSignIn('/payments?mode=test&status=FAILED')).toBe('/payments?mode=test&status=FAILED');
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
    '',
    undefined,
  ])('never to another site: %j', (next) => {
    expect(pathAfterSignIn(next)).toBe('/overview');
  });

  test('not back to the sign-in page itself', () => {
    expect(pathAfterSignIn('/sign-in?next=/payments')).toBe('/overview');
  });
});
