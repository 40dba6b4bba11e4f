import type { Command, CommandGroup } from './commands.ts';

/** Words without which a text means the same: `new draft of rules`. */
const FILLERS: ReadonlySet<string> = new Set(['a', 'an', 'the', 'of', 'for', 'to', 'my']);

/**
 * Commands that match a text, the best first, and groups by their best. Best is a label that begins with the text; then one whose
 * words begin with the words of the text; then a keyword that does; then the words of label, keywords and heading together; then text
 * within the label. An empty text finds all, in their order.
 */
export function findCommands(
  groups: readonly CommandGroup[],
  text: string,
  gatewayNames: readonly string[] = [],
): CommandGroup[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return groups.filter(({ commands }) => commands.length > 0);
  return groups
    .map(({ title, commands }) => {
      const found = commands
        .map((command) => ({ command, rank: rankOf(command, wanted, title, gatewayNames) }))
        .filter(({ rank }) => rank < NO_MATCH)
        .toSorted((a, b) => a.rank - b.rank);
      return { group: { title, commands: found.map(({ command }) => command) }, best: found[0]?.rank ?? NO_MATCH };
    })
    .filter(({ best }) => best < NO_MATCH)
    .toSorted((a, b) => a.best - b.best)
    .map(({ group }) => group);
}

const NO_MATCH = 5;

function rankOf(command: Command, wanted: string, title: string, gatewayNames: readonly string[]): number {
  const label = command.label.toLowerCase();
  const keywords = (command.keywords ?? []).map((keyword) => keyword.toLowerCase());
  const gateways = command.namesGateways === true ? gatewayNames : [];
  const more = [command.words ?? '', ...keywords, ...gateways, title].join(' ').toLowerCase();
  if (label.startsWith(wanted)) return 0;
  if (holdsWords(label, wanted)) return 1;
  if (keywords.some((keyword) => keyword.startsWith(wanted))) return 2;
  if (holdsWords(`${label} ${more}`, wanted)) return 3;
  return label.includes(wanted) ? 4 : NO_MATCH;
}

/** True if each word of a text begins a word of another, in any order; fillers only where there is nothing else. */
function holdsWords(searched: string, wanted: string): boolean {
  const parts = wanted.split(/\s+/);
  const meant = parts.filter((part) => !FILLERS.has(part));
  const words = searched.split(/[^\p{L}\p{N}@._-]+/u);
  // An account `paystack-main` is found by its second part as well.
  const starts = [...words, ...words.flatMap((word) => word.split(/[._@-]/))];
  return (meant.length > 0 ? meant : parts).every((part) => starts.some((word) => word.startsWith(part)));
}
