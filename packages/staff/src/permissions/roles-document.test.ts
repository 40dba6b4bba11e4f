import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { may, PERMISSION_TEXTS, PERMISSIONS, STAFF_ROLES } from './permissions.ts';

const DOCUMENT = join(import.meta.dirname, '../../../../docs/roles.md');
const TABLE = /(<!-- permissions -->\n\n)[\s\S]*?(\n\n<!-- end -->)/;

/** The table of docs/roles.md. */
function table(): string {
  const titles = STAFF_ROLES.map((role) => ` ${role} |`).join('');
  const rows = PERMISSIONS.map((permission) => {
    const cells = STAFF_ROLES.map((role) =>
      may(role, permission) ? ' yes |' : may(role, permission, 'test') ? ' test |' : ' |',
    );
    return `| ${PERMISSION_TEXTS[permission]} |${cells.join('')}`;
  });
  return [`| may |${titles}`, `|---|${'---|'.repeat(STAFF_ROLES.length)}`, ...rows].join('\n');
}

test('docs/roles.md has the permissions of every role', () => {
  const document = readFileSync(DOCUMENT, 'utf8');
  const written = document.replace(TABLE, (_, before: string, after: string) => `${before}${table()}${after}`);
  if (process.env.UPDATE_DOCS === '1') writeFileSync(DOCUMENT, written);
  else expect(document, 'UPDATE_DOCS=1 npx vitest run packages/staff/src/permissions writes it').toBe(written);
  expect(document).toMatch(TABLE);
});

test('no two permissions read alike, and none is a sentence of its own', () => {
  const texts = Object.values(PERMISSION_TEXTS);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.filter((text) => !/^[a-z].*[^.]$/.test(text))).toEqual([]);
});
