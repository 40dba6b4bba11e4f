const WHOLE_MAX = 26;
const BEGIN = 14;
const END = 8;

/**
 * An id, whose middle is left out where it is long: ids that begin alike differ at their ends. The middle is there for the clipboard,
 * for the page's search and for screen readers.
 */
export function MiddleCut({ text }: { text: string }) {
  if (text.length <= WHOLE_MAX) return text;
  return (
    <span title={text}>
      {text.slice(0, BEGIN)}
      <span className="inline-block max-w-[1em] overflow-hidden align-bottom text-ellipsis whitespace-nowrap">
        {text.slice(BEGIN, -END)}
      </span>
      {text.slice(-END)}
    </span>
  );
}
