import type { PublicationRefusal } from './publication.ts';

/** One sentence that explains why rules were not published. */
export function describeRefusal(refusal: PublicationRefusal): string {
  switch (refusal.kind) {
    case 'stale_base': {
      const { currentVersion, publishedBy, publishedAt } = refusal;
      const when = publishedAt === null ? '' : ` at ${publishedAt.toISOString()}`;
      return `Version ${currentVersion} was published by ${publishedBy ?? 'another person'}${when}, and these rules were written from an earlier one.`;
    }
    case 'invalid': {
      const [first] = refusal.problems;
      const more = refusal.problems.length - 1;
      return `${first?.field ?? 'The document'} ${first?.message ?? 'is not in order'}${andMore(more, 'problem')}.`;
    }
    case 'broken_expectations': {
      const [first] = refusal.broken;
      const more = refusal.broken.length - 1;
      const sentence = first === undefined ? 'An expectation does not hold' : first.message.replace(/\.$/, '');
      return `${sentence}${andMore(more, 'broken expectation')}.`;
    }
    case 'needs_approval':
      return 'A second person has to approve these rules first.';
    default:
      return refusal satisfies never;
  }
}

function andMore(number: number, noun: string): string {
  if (number <= 0) return '';
  return `, and ${number} more ${noun}${number === 1 ? '' : 's'}`;
}
