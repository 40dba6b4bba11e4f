import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Levels that search for a bug, in the order of the columns. */
export const LEVELS = ['suites', 'model', 'worlds'] as const;
export type Level = (typeof LEVELS)[number];

/** Cells of a bug, by level: what found it and after how long; empty where the level was not asked. */
export type Findings = Readonly<Record<Level, string>>;

/** Findings by the name of the bug. */
export type FindingsByName = ReadonlyMap<string, Findings>;

const DOCUMENT = join(import.meta.dirname, '..', '..', '..', 'docs', 'simulation-mutations.md');
const NOT_ASKED: Findings = { suites: '', model: '', worlds: '' };
/** Beginning of a cell of a level that found nothing. */
const NOTHING = 'nothing in ';
/** Cell of a level that does not run the code that the bug is in. */
export const ELSEWHERE = '–';

/** Cell of a level that found nothing in as many seconds. */
export function nothingIn(seconds: number): string {
  return `${NOTHING}${seconds.toFixed(0)} s`;
}

/** Text of the document. */
export function readDocument(): string {
  return readFileSync(DOCUMENT, 'utf8');
}

/** Findings in the table of the document. */
export function findingsOf(text: string): FindingsByName {
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  // The first row is the head.
  return new Map(
    rows.slice(1).map((row) => {
      const [name = '', suites = '', model = '', worlds = ''] = row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [name, { suites, model, worlds }];
    }),
  );
}

/** The document with a row for each bug, in the order of the list. Findings of bugs that the list no longer has are left out. */
export function renderDocument(names: readonly string[], findings: FindingsByName): string {
  const rows = names.map((name) => ({ name, cells: findings.get(name) ?? NOT_ASKED }));
  const count = (level: Level, fits: (cell: string) => boolean): number => rows.filter(({ cells }) => fits(cells[level])).length;
  const of = (level: Level): string => `${count(level, isFound)} of the ${count(level, isSearched)}`;
  const never = rows.filter(({ cells }) => LEVELS.every((level) => !isSearched(cells[level]))).length;
  const missed = rows.filter(({ cells }) => LEVELS.every((level) => !isFound(cells[level]))).length - never;
  return `# Bugs that are put in, and what finds them

\`npm run simulate:mutations -- --record\` puts them in, one after the other ([how](simulation.md#it-must-bite)), and writes this file.
Of ${names.length} bugs, suites find ${of('suites')} that they were run for, worlds of the model ${of('model')}, whole worlds ${of('worlds')}.
Found by nothing: ${missed}. Not searched for: ${never}.

Of suites, the first test that fails is named. A cell is empty where the level was not run, and \`${ELSEWHERE}\` where it does not run the code that the
bug is in. Times are of a machine of two cores that did other work as well.

| bug | suites | model | whole worlds |
|---|---|---|---|
${rows.map(({ name, cells }) => `| ${name} | ${LEVELS.map((level) => cells[level]).join(' | ')} |\n`).join('')}`;
}

/** Writes what a level said of a bug into the document. */
export function recordFinding(names: readonly string[], name: string, level: Level, cell: string): void {
  const findings = new Map(findingsOf(readDocument()));
  findings.set(name, { ...(findings.get(name) ?? NOT_ASKED), [level]: cell.replaceAll('\n', ' ').replaceAll('|', '\\|') });
  writeFileSync(DOCUMENT, renderDocument(names, findings));
}

/** True if a level ran the code that the bug is in. */
function isSearched(cell: string): boolean {
  return cell !== '' && cell !== ELSEWHERE;
}

/** True if the cell names what found the bug. */
export function isFound(cell: string): boolean {
  return isSearched(cell) && !cell.startsWith(NOTHING);
}
