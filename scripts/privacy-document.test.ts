import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RETENTION_KINDS, RETENTION_LIMITS } from '@switchyard/privacy';
import { STORED_TEXTS } from '@switchyard/privacy/testing';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENT = readFileSync(join(ROOT, 'docs/privacy.md'), 'utf8');
const MODELS = join(ROOT, 'prisma/models');
const SCHEMA = readdirSync(MODELS)
  .map((file) => readFileSync(join(MODELS, file), 'utf8'))
  .join('\n');

/** Cells of the document's table rows that begin with a name in code. */
const ROWS = [...DOCUMENT.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, name = '', cells = '']) => ({
  name,
  cells: cells.split('|').map((cell) => cell.trim()),
}));

/** The tables that the document lists before its table: those with nothing personal. */
const PLAIN = [...(/^Nothing personal, .*?:$(.*?)^The others/ms.exec(DOCUMENT)?.[1] ?? '').matchAll(/`(\w+)`/g)].map(
  ([, name = '']) => name,
);

/** Tables by the names they have in the database. */
const TABLES = [...SCHEMA.matchAll(/^model \w+ \{.*?^\}/gms)].map(([model]) => /@@map\("(\w+)"\)/.exec(model)?.[1] ?? model);

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`);

describe('docs/privacy.md', () => {
  it('says of every table what it holds, once, and of no other', () => {
    const documented = ROWS.map(({ name }) => name).filter((name) => !RETENTION_KINDS.some((kind) => kind === name));
    expect([...PLAIN, ...documented].sort()).toEqual([...TABLES].sort());
  });

  it.each(Object.entries(STORED_TEXTS))(
    'says of %s whether it has something of staff or of customers',
    (table, { staff, customer }) => {
      const personal = ROWS.find(({ name }) => name === table)?.cells[1] ?? '';
      const said = { staff: personal.includes('staff'), customer: personal.includes('customer') };
      expect(said, 'compare docs/privacy.md with privacy/src/testing/stored-texts.ts').toEqual({
        staff: staff !== undefined,
        customer: customer !== undefined,
      });
    },
  );

  it.each(RETENTION_KINDS)('gives default and limits of %s as they are', (kind) => {
    const { defaultDays, minDays, maxDays, of } = RETENTION_LIMITS[kind];
    const row = ROWS.find(({ name }) => name === kind);
    expect(row?.cells.slice(1)).toEqual([days(defaultDays), days(minDays), days(maxDays), of]);
  });

  it('names the kind by which each table that ages out goes', () => {
    for (const kind of RETENTION_KINDS) {
      for (const stored of RETENTION_LIMITS[kind].stored.filter((one) => TABLES.includes(one))) {
        expect(ROWS.find(({ name }) => name === stored)?.cells.at(-1), stored).toContain(`\`${kind}\``);
      }
    }
  });
});
