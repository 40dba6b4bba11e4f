import type { SelectOption } from './select-props.ts';

/** Letters and digits in lower case and without accents, so that `sao paulo` finds `America/Sao_Paulo` and `São Paulo`. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[_/-]+/g, ' ')
    .toLowerCase();
}

/** The options in whose label or note every word of a text occurs; those that begin with it come first, otherwise their order stays. */
export function findOptions(options: readonly SelectOption[], text: string): readonly SelectOption[] {
  const wanted = plain(text).trim();
  if (wanted === '') return options;
  const words = wanted.split(/\s+/);
  const found = options.filter(({ label, note = '' }) => {
    const searched = plain(`${label} ${note}`);
    return words.every((word) => searched.includes(word));
  });
  const begins = (option: SelectOption) => plain(option.label).startsWith(wanted);
  return [...found.filter(begins), ...found.filter((option) => !begins(option))];
}
