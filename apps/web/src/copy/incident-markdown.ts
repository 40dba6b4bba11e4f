import { formatMoney } from '../format/amounts.ts';
import { describeDuration, describeSecond, formatTimestamp } from '../format/moments.ts';
import type { RouterOutputs } from '../trpc/outputs.ts';
import { gatewayTitle } from './gateways.ts';
import {
  type CurrencyImpact,
  describeExtraFee,
  describeFallbacks,
  describeOutcomes,
  IMPACT_ORDER,
  OUTCOME_LABELS,
} from './incident-impact.ts';
import { describeStoryEvent, type Incident } from './incident-story.ts';

/** Contents of an incident's export; null where its reader may not see them. */
export interface IncidentExport {
  readonly incident: Incident;
  readonly impact: RouterOutputs['incidents']['impact'] | null;
  readonly writing: RouterOutputs['incidents']['notes'] | null;
  /** The address of its page. */
  readonly url: string;
}

/** An incident as a document in Markdown: facts, impact, timeline, post-mortem and notes. */
export function incidentMarkdown({ incident, impact, writing, url }: IncidentExport): string {
  const { title, why, kindTitle, merchantName, mode, since, closedAt, acknowledgedAt, acknowledgedByName } = incident;
  const facts: readonly (readonly [string, string])[] = [
    ['Type', kindTitle],
    ['Merchant', merchantName ?? 'Workspace'],
    ['Mode', mode === 'live' ? 'Live' : 'Test'],
    ...(since === null ? [] : [['Started', formatTimestamp(since)] as const]),
    ['Ended', closedAt === null ? 'Still open' : formatTimestamp(closedAt)],
    ...(since === null || closedAt === null
      ? []
      : [['Duration', describeDuration(closedAt.getTime() - since.getTime())] as const]),
    [
      'Acknowledged',
      acknowledgedAt === null ? 'No' : `${acknowledgedByName ?? 'A colleague'}, ${formatTimestamp(acknowledgedAt)}`,
    ],
  ];
  const parts = [
    `# ${text(title)}`,
    text(why),
    table(['', ''], facts),
    ...(impact === null || incident.accounts.length === 0 ? [] : describeImpact(impact)),
    '## Timeline',
    table(['Time', 'What', 'Details'], storyRows(incident)),
    ...(writing === null ? [] : describeWriting(writing)),
    `Source: ${url}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function describeImpact({ currencies, isCut }: RouterOutputs['incidents']['impact']): string[] {
  if (currencies.length === 0) return ['## Impact', describeOutcomes([]).rest];
  return [
    '## Impact',
    ...currencies.flatMap((impact) => [
      sentenceOf(impact),
      table(['What became of them', 'Payments', 'Amount'], outcomeRows(impact)),
      `${describeFallbacks(impact)} ${describeExtraFee(impact)}`.trim(),
    ]),
    ...(isCut ? ['More payments met the fault; the latest 20,000 are counted.'] : []),
  ];
}

function outcomeRows({ currency, outcomes, recoveredBy }: CurrencyImpact): (readonly string[])[] {
  return IMPACT_ORDER.flatMap((outcome) => [
    [OUTCOME_LABELS[outcome].word, String(outcomes[outcome].payments), formatMoney(currency, outcomes[outcome].amount)],
    ...(outcome === 'recovered'
      ? recoveredBy.map(({ gateway, payments, amount }) => [
          `– by ${gatewayTitle(gateway)}`,
          String(payments),
          formatMoney(currency, amount),
        ])
      : []),
  ]);
}

function storyRows(incident: Incident): (readonly string[])[] {
  return incident.events.map((event) => {
    const { title, sentence, cause } = describeStoryEvent(event, incident);
    return [describeSecond(event.at), title, [sentence, cause].filter((part) => part !== null).join(' ')];
  });
}

function describeWriting({ notes, postMortem }: RouterOutputs['incidents']['notes']): string[] {
  return [
    ...(postMortem === null ? [] : ['## Post-mortem', postMortem.text]),
    ...(notes.length === 0
      ? []
      : [
          '## Notes',
          ...notes.map(({ text: note, authorName, createdAt }) => {
            const lines = note.split('\n').map((line) => `> ${line}`);
            return `${lines.join('\n')}\n>\n> ${text(authorName ?? 'Former team member')}, ${formatTimestamp(createdAt)}`;
          }),
        ]),
  ];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(header), `|${header.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** The text of a cell: what would end it, or the line, is escaped. */
function cell(value: string): string {
  return text(value).replaceAll('|', '\\|');
}

/** Text of one line, in which nothing is markup. */
function text(value: string): string {
  return value.replaceAll(/\s*[\r\n]+\s*/g, ' ').replaceAll(/[\\`*_<>[\]#]/g, '\\$&');
}

function sentenceOf(impact: CurrencyImpact): string {
  const { affected, rest } = describeOutcomes([impact]);
  return `${affected ?? ''}${rest}`;
}
