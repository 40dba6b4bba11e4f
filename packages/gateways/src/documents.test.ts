import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Gateway, type TransferRule, transferMistakes } from './gateway.ts';
import { gateways } from './registry.ts';

const ROOT = join(import.meta.dirname, '../../..');

const PAYOUTS = { polled: 'its lists', webhook: 'its webhooks', file: 'files' } as const;

/** The documents' words for what a gateway has. */
const TABLE = [
  '| gateway | methods | payouts are known from | disputes are answered by | refunds can be looked up |',
  '|---|---|---|---|---|',
  ...gateways.map(
    (gateway) =>
      `| ${gateway.title} | ${gateway.capabilities.methods.join(', ')} | ${PAYOUTS[gateway.settlementRoad]} | ${answersOf(gateway)} | ${lookupsOf(gateway)} |`,
  ),
].join('\n');

function answersOf({ disputes }: Gateway): string {
  return disputes.responses.length === 0 ? 'its dashboard' : `a call (${disputes.responses.join(', ')})`;
}

function lookupsOf({ capabilities }: Gateway): string {
  return capabilities.missingLookups?.includes('findRefund') === true ? 'no' : 'yes';
}

const ENDS = {
  returned: 'sent back by the gateway',
  received: 'received: the payment needs review',
  chosen: "as the gateway's dashboard is set",
  not_published: 'not published',
} as const;

function ruleOf({ end, shownBy, section }: TransferRule): string {
  const word =
    shownBy === null
      ? ''
      : `, by ${shownBy
          .split(', ')
          .map((each) => `\`${each}\``)
          .join(', ')}`;
  return section === null ? ENDS[end] : `${ENDS[end]}${word} ([${section.title}](${section.address}))`;
}

const TRANSFERS = [
  '| gateway | another amount | late | once more after it was paid |',
  '|---|---|---|---|',
  ...gateways.map(
    ({ title, transfers }) => `| ${title} | ${transferMistakes.map((mistake) => ruleOf(transfers[mistake])).join(' | ')} |`,
  ),
].join('\n');

/** The tables of error codes, one line for each. */
const CODES = [
  ['gateway', 'code', 'words', 'meaning', 'failure', 'section', 'address'],
  ...gateways.flatMap(({ name, errorCodes }) =>
    errorCodes.map(({ code, words, meaning, failure, section }) => [
      name,
      code,
      words,
      meaning,
      failure,
      section.title,
      section.address,
    ]),
  ),
]
  .map((cells) => `${cells.join('\t')}\n`)
  .join('');

/** Parts of documents that list the gateways: what surrounds each, and what it has to be. */
const PARTS = [
  { file: 'docs/gateways.md', before: '<!-- gateways -->\n\n', after: '\n\n<!-- /gateways -->', text: TABLE },
  { file: 'docs/gateways.md', before: '<!-- transfers -->\n\n', after: '\n\n<!-- /transfers -->', text: TRANSFERS },
  { file: 'README.md', before: 'Gateways: ', after: '.\n', text: gateways.map(({ title }) => title).join(', ') },
];

describe('the documents have every gateway; UPDATE_DOCS=1 rewrites them', () => {
  it.each(PARTS)('$file, from $before', ({ file, before, after, text }) => {
    const path = join(ROOT, file);
    const document = readFileSync(path, 'utf8');
    const start = document.indexOf(before) + before.length;
    const end = document.indexOf(after, start);
    expect([start >= before.length, end >= start]).toEqual([true, true]);
    const rewritten = document.slice(0, start) + text + document.slice(end);
    if (process.env.UPDATE_DOCS === '1') writeFileSync(path, rewritten);
    else expect(document).toBe(rewritten);
  });

  it('and every error code with its meaning', () => {
    const path = join(ROOT, 'docs/error-codes.tsv');
    if (process.env.UPDATE_DOCS === '1') writeFileSync(path, CODES);
    else expect(readFileSync(path, 'utf8')).toBe(CODES);
  });
});
