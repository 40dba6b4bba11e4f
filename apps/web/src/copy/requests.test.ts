import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeStatus, errorHref } from './requests.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../app/docs/_content/errors.mdx'), 'utf8');

test('each code of an error leads to where the documentation explains it', () => {
  const documented = [...DOCUMENT.matchAll(/^\| \d{3} \| `(\w+)` \| \[[^\]]+\]\(#(\w+)\)/gm)];
  expect(documented.length).toBeGreaterThan(15);
  for (const [, code = '', anchor] of documented) expect(errorHref(code)).toBe(`/docs/errors#${anchor}`);
  expect(errorHref('made_up')).toBe('/docs/errors#overview');
});

test.each([
  [200, 'good', 'HTTP 200'],
  [404, 'wait', 'HTTP 404'],
  [503, 'bad', 'HTTP 503'],
  [null, 'over', 'Not answered'],
])('status %s is %s, in words', (status, tone, word) => {
  expect(describeStatus(status)).toMatchObject({ tone, word });
});
