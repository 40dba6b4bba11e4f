import type { CommandGroup } from './commands.ts';

/**
 * The commands that match a text: every word of it occurs in the label, in its keywords or in the group's title, or in
 * `gatewayNames` for commands that concern any gateway. Those whose label begins with the text come first of their group. An empty
 * text finds all.
 */
export function findCommands(
  groups: readonly CommandGroup[],
  text: string,
  gatewayNames: readonly string[] = [],
): CommandGroup[] {
  const wanted = text.trim().toLowerCase();
  const parts = wanted.split(/\s+/).filter((part) => part !== '');
  return groups
    .map(({ title, commands }) => ({
      title,
      commands: commands
        .filter(({ label, words = '', namesGateways = false }) => {
          const gateways = namesGateways ? gatewayNames.join(' ') : '';
          const searched = `${label} ${words} ${gateways} ${title}`.toLowerCase();
          return parts.every((part) => searched.includes(part));
        })
        .toSorted((a, b) => rank(a.label, wanted) - rank(b.label, wanted)),
    }))
    .filter(({ commands }) => commands.length > 0);
}

function rank(label: string, wanted: string): number {
  if (wanted === '') return 0;
  const at = label.toLowerCase().indexOf(wanted);
  if (at === 0) return 0;
  return at > 0 ? 1 : 2;
}
