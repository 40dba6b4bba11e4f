const WHOLE_MAX = 26;
const BEGIN = 14;
const END = 8;

/**
 * An id, whose middle is left out where it is long: ids that begin alike differ at their ends. The middle is there for the clipboard,
 * and for the page's search. A link around it needs the id as its label: the middle is a box of its own, and reads as words apart.
 */
export function MiddleCut({ text }: { text: string }) {
  if (text.length <= WHOLE_MAX) return text;
  return (
    <span title={text}>
      {text.slice(0, BEGIN)}
      <span className="inline-block max-w-[1.5em] overflow-hidden align-bottom text-ellipsis whitespace-nowrap">
        {text.slice(BEGIN, -END)}
      </span>
      {text.slice(-END)}
    </span>
  );
}
