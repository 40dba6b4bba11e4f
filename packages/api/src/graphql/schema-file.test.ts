import { readFileSync, writeFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges, printSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from './schema.ts';

const FILE = new URL('../../schema.graphql', import.meta.url);
const written = readFileSync(FILE, 'utf8');
const printed = `${printSchema(schema)}\n`;

describe('the schema file', () => {
  test('is broken by no change: whoever asks today is answered tomorrow', () => {
    const broken = findBreakingChanges(buildSchema(written), buildSchema(printed));
    expect(broken.map(({ description }) => description)).toEqual([]);
  });

  test('says what the schema is; UPDATE_SCHEMA=1 writes it anew', () => {
    if (process.env.UPDATE_SCHEMA === '1') writeFileSync(FILE, printed);
    else expect(written).toBe(printed);
  });
});
