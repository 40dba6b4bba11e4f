import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PAGES = ['promises.md', 'security.md'];

/** Sentences of a page without their links; of a row of a table its first cell. */
function sentencesOf(page: string): string[] {
  const text = read(`docs/${page}`)
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/^\|.*\n\|-.*$/gm, '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '');
  // Begins a block of its own: a row, an item of a list, a heading.
  const blocks = text.replaceAll(/^(?=\||- |\d+\. |#)/gm, '\n').split(/\n\s*\n/);
  return blocks.flatMap((block) => {
    const line = block.replaceAll(/\s+/g, ' ').trim();
    if (line === '' || line.startsWith('#')) return [];
    const [, cell] = /^\| ([^|]+) \|/.exec(line) ?? [];
    return cell === undefined ? line.replace(/^(?:- |\d+\. )/, '').split(/(?<=[.?!]) (?=[A-Z`])/) : [cell];
  });
}

const ROWS = read('docs/guarantees.tsv')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [page = '', sentence = '', code = '', tests = ''] = line.split('\t');
    return { page, sentence, code, tests };
  });

/** A file, and the texts in it that follow. */
const mentionsIn = (text: string) =>
  [...text.matchAll(/`([^`]+\.tsx?)`(?:: (“[^”]+”(?:, “[^”]+”)*))?/g)].map(([, path = '', quoted = '']) => ({
    path,
    texts: [...quoted.matchAll(/“([^”]+)”/g)].map(([, one = '']) => one),
  }));

it('every sentence has its line, in order, and nothing else has one', () => {
  const listed = ROWS.map(({ page, sentence }) => `${page}: ${sentence}`);
  const said = PAGES.flatMap((page) => sentencesOf(page).map((sentence) => `${page}: ${sentence}`));
  expect(
    said.filter((sentence) => !listed.includes(sentence)),
    'docs/guarantees.tsv lacks these sentences: add a line with the code that keeps each and the tests that fail without it, or – and why it is no guarantee',
  ).toEqual([]);
  expect(listed.filter((sentence, at) => sentence !== listed[at - 1])).toEqual(said);
});

it('each has a line of code and tests that fail without it, or says why it is no guarantee', () => {
  for (const { sentence, code, tests } of ROWS) {
    if (code === '–') expect(tests, sentence).not.toBe('');
    else {
      expect(
        mentionsIn(code).map(({ texts }) => texts.length),
        sentence,
      ).toEqual([1]);
      expect(
        mentionsIn(tests).some(({ texts }) => texts.length > 0),
        sentence,
      ).toBe(true);
    }
  }
});

it('names files that exist, lines of code that are in them, and tests', () => {
  for (const { sentence, code, tests } of ROWS) {
    for (const { path, texts } of [...mentionsIn(code), ...mentionsIn(tests)]) {
      expect(existsSync(join(ROOT, path)), `${sentence}: ${path}`).toBe(true);
      for (const text of texts) expect(read(path).includes(text), `${path} has: ${text}`).toBe(true);
    }
  }
});
