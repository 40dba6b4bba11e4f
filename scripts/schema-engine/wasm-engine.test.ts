import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCommands } from './wasm-engine.ts';

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'prisma', 'migrations');

const COMMANDS = [
  'SELECT 1',
  "INSERT INTO t VALUES ('a;b', 'it''s; here')",
  "SELECT E'it\\'s; here'",
  'ALTER TABLE "odd;name" ADD COLUMN "a" TEXT',
  'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN; RETURN NULL; END; $$',
  "DO $body$ BEGIN PERFORM '$$;'; END $body$",
  'SELECT 1 /* one; two */ + 2',
  'SELECT 1 -- one; two\n + 2',
];

test('a script is split where its commands end, and nowhere else', () => {
  const blank = fc.constantFrom(' ', '\n', '\n-- a comment; with a semicolon\n', '/* another; */', ' ; ');
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...COMMANDS), blank)), (parts) => {
      const script = parts.map(([command, between]) => `${command};${between === ' ; ' ? ' ' : between}`).join('');
      const found = splitCommands(script).map((command) => COMMANDS.find((one) => command.endsWith(one)));
      expect(found).toEqual(parts.map(([command]) => command));
    }),
  );
});

test('the last command needs no semicolon, and what is only blank or comments is none', () => {
  expect(splitCommands('SELECT 1;\nSELECT 2')).toEqual(['SELECT 1', 'SELECT 2']);
  expect(splitCommands('-- nothing; here\n;;\n/* nor; here */')).toEqual([]);
});

test('no command of the migrations is cut: each begins with a word that begins commands', () => {
  const folders = readdirSync(MIGRATIONS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const commands = folders.flatMap(({ name }) => splitCommands(readFileSync(join(MIGRATIONS, name, 'migration.sql'), 'utf8')));
  const begin = /^(?:--[^\n]*\n|\s)*(ALTER|COMMENT|CREATE|DELETE|DO|DROP|INSERT|SET|UPDATE|WITH)\b/;
  expect(commands.filter((command) => !begin.test(command))).toEqual([]);
  expect(commands.length).toBeGreaterThan(100);
});
