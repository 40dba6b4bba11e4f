import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const DOCUMENT = read('docs/security.md');
/** The answer to every requirement, one a line: its id, its state, and where or why. */
const ANSWERS = read('docs/asvs-5.0.0-level-2.tsv');
/** The requirements of levels 1 and 2, one a line. */
const REQUIREMENTS = read('docs/asvs-5.0.0-level-2.txt').trim().split('\n');
const STATES = ['tested', 'code', 'operator', 'partly', 'not met', 'n/a'];

const ROWS = ANSWERS.trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [id = '', state = '', why = ''] = line.split('\t');
    return { id, state, why };
  });

/** A file with the names of tests in it that follow. */
const MENTIONS = [...`${DOCUMENT}\n${ANSWERS}`.matchAll(/`((?:[\w.()[\]-]+\/)+[\w.-]+)`(?:: (“[^”]+”(?:, “[^”]+”)*))?/g)].map(
  ([, path = '', names]) => ({
    path,
    names: [...(names ?? '').matchAll(/“([^”]+)”/g)].map(([, name = '']) => name),
  }),
);

describe('docs/security.md and its table of requirements', () => {
  it('has every requirement of levels 1 and 2 once, in order, and no other', () => {
    expect(REQUIREMENTS).toHaveLength(253);
    expect(ROWS.map(({ id }) => id)).toEqual(REQUIREMENTS);
  });

  it('gives each a state and says where, or why', () => {
    for (const { id, state, why } of ROWS) {
      expect(STATES, id).toContain(state);
      expect(why.length, id).toBeGreaterThan(5);
      if (state === 'tested') expect(why, id).toMatch(/\.(?:test|spec)\.ts`: “/);
    }
  });

  it('counts the states as they are', () => {
    for (const state of STATES) {
      const counted = new RegExp(`^\\| ${state} \\| [^|]+ \\| (\\d+) \\|$`, 'm').exec(DOCUMENT)?.[1];
      expect(Number(counted), state).toBe(ROWS.filter((row) => row.state === state).length);
    }
  });

  it('names files that exist, and tests that are in them', () => {
    expect(MENTIONS.length).toBeGreaterThan(100);
    for (const { path, names } of MENTIONS) {
      expect(existsSync(join(ROOT, path)), path).toBe(true);
      for (const name of names) expect(read(path), `${path}: ${name}`).toContain(name);
    }
  });
});
