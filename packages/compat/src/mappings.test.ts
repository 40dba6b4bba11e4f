import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MAPPINGS, type Mappings } from './mappings.ts';
import { DIALECTS } from './problem.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/migrating.md', import.meta.url), 'utf8');

/** The tables of one dialect, as the document has them. */
function tablesOf({ answered, refusedFields, refusedCalls, differences }: Mappings): readonly string[] {
  const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
    [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return [
    table(
      ['call', 'what becomes of it'],
      answered.map(({ call, becomes }) => [`\`${call}\``, becomes]),
    ),
    table(
      ['call', 'field', 'why it is refused', 'taken, because it asks for nothing'],
      refusedFields.map(({ call, field, why, harmless = [] }) => [
        `\`${call}\``,
        `\`${field}\``,
        why,
        harmless.map((value) => `\`${JSON.stringify(value)}\``).join(', '),
      ]),
    ),
    table(
      ['call', 'why it is refused'],
      refusedCalls.map(({ call, why }) => [`\`${call}\``, why]),
    ),
    table(
      ['what', 'here'],
      differences.map(({ what, here }) => [what, here]),
    ),
  ];
}

describe('docs/migrating.md', () => {
  it.each(DIALECTS)('lists what is mapped, refused and different of %s', (dialect) => {
    for (const table of tablesOf(MAPPINGS[dialect])) expect(DOCUMENT).toContain(table);
  });
});
